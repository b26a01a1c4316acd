#include "models/presets/presets.h"

/* Affine fits of step time over the per-GPU batch, relative least squares on MLPerf
 * training logs of H100 SXM systems (mlcommons training_results v3.0-v4.0); worst error
 * of each fit in the source text. base holds the all-reduce. */
#define FIT(name, base, per_item)                                                      \
    static const struct dls_preset_value name[] = {                                    \
        {"step.base", base}, {"step.per_item", per_item}, {NULL, NULL}}

FIT(h100_resnet50, "3.51 ms", "0.1377 ms");
FIT(h100_bert_large, "14.97 ms", "0.9167 ms");
FIT(h100_rnnt, "13.96 ms", "0.4943 ms");
FIT(h100_unet3d, "1.87 ms", "13.758 ms");
FIT(h100_maskrcnn, "5.79 ms", "5.243 ms");

#define ROW(name, text)                                                                \
    {                                                                                  \
        "consumer", "consumer.gpu", #name, "MLPerf training logs, H100 SXM: " text,    \
            name                                                                       \
    }

const struct dls_preset dls_presets_consumer[] = {
    ROW(h100_resnet50, "ResNet-50, batches 16-400, fit within 6 %"),
    ROW(h100_bert_large,
        "BERT-large, packed sequences to 512 tokens, batches 4-144, fit within 7 %"),
    ROW(h100_rnnt, "RNN-T, batches 8-256, fit within 5 %"),
    ROW(h100_unet3d, "3D U-Net, 128^3 patches, batches 1-8, fit within 2 %"),
    ROW(h100_maskrcnn, "Mask R-CNN, batches 1-12, fit within 5 %"),
    {NULL, NULL, NULL, NULL, NULL},
};
