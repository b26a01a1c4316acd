# small.sh: sourced by scripts that need a scenario. small.yaml: 200 samples, 8 ms of decoding each, two workers, a step of
# 20 ms a batch of ten: the two workers need 0.8 s for an epoch, the GPU 0.4 s.
cat >small.yaml <<'YAML'
dlsim: 1
name: small
about: two workers that decode slower than the GPU steps
host: {cores: 8}
storage: {kind: storage.rate, latency: 100 us, bandwidth: 2 GB/s}
source: {kind: source.files, samples: 200, size: 100 kB}
transform:
  kind: transform.chain
  ops:
    - {op: decode, stage: decode, class: decode, demand: 8 ms}
loader: {kind: loader.pytorch, workers: 2, batch: 10}
consumer: {kind: consumer.gpu, step: {base: 20 ms}}
run: {epochs: 2, replications: 4, seed: 1}
YAML
