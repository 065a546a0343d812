/* The defaults of the hooks, and their values. */
#include "base/hooks.h"

#define HOOK(type, name, value) .name = (value),
const ms_hook_table ms_hooks_default = {
#include "base/hooks_template.h"
};
ms_hook_table ms_hooks = {
#include "base/hooks_template.h"
};
