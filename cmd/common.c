#include "cmd/command.h"

const struct opt common_options[] = {
    {.name = "model", .letter = 'm', .kind = OPT_STR, .at = offsetof(struct common, model),
     .metavar = "MODEL", .unset = "the index's own, else the only one in the models directory",
     .help = "GGUF file, or a name in the models directory"},
    {.name = "device", .kind = OPT_STR, .at = offsetof(struct common, device), .metavar = "NAME",
     .def = "auto", .help = "what computes: auto, cpu, cuda or cuda:N"},
    {.name = "vram", .kind = OPT_SIZE, .at = offsetof(struct common, vram), .metavar = "SIZE",
     .unset = "all there is", .help = "GPU memory to use at most: 800M, 24G"},
    {.name = "threads", .kind = OPT_INT, .at = offsetof(struct common, threads), .min = 1, .max = 1024,
     .metavar = "N", .unset = "one per physical core", .help = "threads of the processor", .also = "threads_num"},
    {.name = "profile", .kind = OPT_STR, .at = offsetof(struct common, profile), .metavar = "FILE",
     .unset = "the one kept for the model, else built in",
     .help = "the model's retrieval heads as FILE says"},
    {.name = "quiet", .kind = OPT_FLAG, .at = offsetof(struct common, quiet),
     .help = "no progress and no notes"},
    {.name = "config", .kind = OPT_STR, .at = offsetof(struct common, config), .metavar = "FILE",
     .unset = "~/.config/lctool/lctool.ini", .help = "read defaults from FILE", .not_config = 1},
    {.name = "help", .letter = 'h', .kind = OPT_HELP, .help = "show this help", .not_config = 1},
    {0},
};
