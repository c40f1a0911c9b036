#define _GNU_SOURCE // dladdr
#include "CLibJQ.h"
#include "CLazyLoad.h"
#include <dlfcn.h>
#include <signal.h>

static struct {
    __typeof__(jq_init) *jq_init;
    __typeof__(jq_teardown) *jq_teardown;
    __typeof__(jq_set_nomem_handler) *jq_set_nomem_handler;
    __typeof__(jq_set_error_cb) *jq_set_error_cb;
    __typeof__(jq_set_debug_cb) *jq_set_debug_cb;
    __typeof__(jq_set_input_cb) *jq_set_input_cb;
    void (*jq_set_stderr_cb)(jq_state *, jq_msg_cb, void *); // since 1.7, so not in the header of 1.6
    __typeof__(jq_set_attr) *jq_set_attr;
    __typeof__(jq_compile_args) *jq_compile_args;
    int (*jq_parse_library)(struct locfile *, void *); // exported, but not in the header
    __typeof__(jq_format_error) *jq_format_error;
    __typeof__(jq_start) *jq_start;
    __typeof__(jq_next) *jq_next;
    __typeof__(jq_halt) *jq_halt;
    __typeof__(jq_halted) *jq_halted;
    __typeof__(jq_get_exit_code) *jq_get_exit_code;
    __typeof__(jq_get_error_message) *jq_get_error_message;
    __typeof__(jv_get_kind) *jv_get_kind;
    __typeof__(jv_copy) *jv_copy;
    __typeof__(jv_free) *jv_free;
    __typeof__(jv_invalid) *jv_invalid;
    __typeof__(jv_invalid_get_msg) *jv_invalid_get_msg;
    __typeof__(jv_invalid_has_msg) *jv_invalid_has_msg;
    __typeof__(jv_null) *jv_null;
    __typeof__(jv_bool) *jv_bool;
    __typeof__(jv_number) *jv_number;
    __typeof__(jv_number_value) *jv_number_value;
    __typeof__(jv_string_sized) *jv_string_sized;
    __typeof__(jv_string_value) *jv_string_value;
    __typeof__(jv_string_length_bytes) *jv_string_length_bytes;
    __typeof__(jv_array) *jv_array;
    __typeof__(jv_array_append) *jv_array_append;
    __typeof__(jv_object) *jv_object;
    __typeof__(jv_object_set) *jv_object_set;
    __typeof__(jv_dump_string) *jv_dump_string;
} jq;

#define SYMBOL(name) {#name, (void **)&jq.name}

const char *oap_jq_load(void) {
    static const struct oap_symbol symbols[] = {
        SYMBOL(jq_init), SYMBOL(jq_teardown), SYMBOL(jq_set_nomem_handler), SYMBOL(jq_set_error_cb),
        SYMBOL(jq_set_debug_cb), SYMBOL(jq_set_input_cb), SYMBOL(jq_set_attr), SYMBOL(jq_compile_args),
        SYMBOL(jq_format_error), SYMBOL(jq_start), SYMBOL(jq_next), SYMBOL(jq_halt), SYMBOL(jq_halted),
        SYMBOL(jq_get_exit_code), SYMBOL(jq_get_error_message), SYMBOL(jv_get_kind), SYMBOL(jv_copy), SYMBOL(jv_free),
        SYMBOL(jv_invalid), SYMBOL(jv_invalid_get_msg), SYMBOL(jv_invalid_has_msg), SYMBOL(jv_null), SYMBOL(jv_bool),
        SYMBOL(jv_number), SYMBOL(jv_number_value), SYMBOL(jv_string_sized), SYMBOL(jv_string_value),
        SYMBOL(jv_string_length_bytes), SYMBOL(jv_array), SYMBOL(jv_array_append), SYMBOL(jv_object),
        SYMBOL(jv_object_set), SYMBOL(jv_dump_string)};
    static const struct oap_symbol since_1_7[] = {SYMBOL(jq_set_stderr_cb)}, internal[] = {SYMBOL(jq_parse_library)};
    // The first to open a library decides how its symbols are found: here those of the program come first (Builtins.c).
    if (dlopen("libjq.so.1", RTLD_LAZY | RTLD_LOCAL) == NULL) return dlerror();
    const char *failure = oap_load_library("libjq.so.1", symbols, sizeof symbols / sizeof symbols[0]);
    if (failure == NULL) (void)oap_load_library("libjq.so.1", since_1_7, 1);
    if (failure == NULL) (void)oap_load_library("libjq.so.1", internal, 1);
    return failure;
}

int oap_jq_is_1_6(void) { return jq.jq_set_stderr_cb == NULL && jq.jq_parse_library != NULL; }

jq_state *oap_jq_init(void) { return jq.jq_init(); }
void oap_jq_teardown(jq_state **state) { jq.jq_teardown(state); }
static volatile sig_atomic_t no_memory;

static void note_no_memory(void *data) {
    (void)data;
    no_memory = 1;
}

void oap_jq_note_no_memory(jq_state *state) { jq.jq_set_nomem_handler(state, note_no_memory, NULL); }
int oap_jq_has_no_memory(void) { return no_memory; }
void oap_jq_set_error_cb(jq_state *state, jq_msg_cb callback, void *data) { jq.jq_set_error_cb(state, callback, data); }
void oap_jq_set_debug_cb(jq_state *state, jq_msg_cb callback, void *data) { jq.jq_set_debug_cb(state, callback, data); }
void oap_jq_set_input_cb(jq_state *state, jq_input_cb callback, void *data) {
    jq.jq_set_input_cb(state, callback, data);
}
void oap_jq_set_stderr_cb(jq_state *state, jq_msg_cb callback, void *data) {
    if (jq.jq_set_stderr_cb != NULL) jq.jq_set_stderr_cb(state, callback, data);
}
void oap_jq_set_attr(jq_state *state, jv name, jv value) { jq.jq_set_attr(state, name, value); }
int oap_jq_compile_args(jq_state *state, const char *text, jv arguments) {
    return jq.jq_compile_args(state, text, arguments);
}
int oap_jq_parse_library(struct locfile *file, void *definitions) { return jq.jq_parse_library(file, definitions); }
jv oap_jq_format_error(jv message) { return jq.jq_format_error(message); }
void oap_jq_start(jq_state *state, jv input, int flags) { jq.jq_start(state, input, flags); }
static __thread volatile sig_atomic_t running;

jv oap_jq_next(jq_state *state) {
    running = 1;
    jv output = jq.jq_next(state);
    running = 0;
    return output;
}
int oap_jq_is_running(void) { return running; }
void oap_jq_halt(jq_state *state, jv exit_code, jv message) { jq.jq_halt(state, exit_code, message); }
int oap_jq_halted(jq_state *state) { return jq.jq_halted(state); }
jv oap_jq_get_exit_code(jq_state *state) { return jq.jq_get_exit_code(state); }
jv oap_jq_get_error_message(jq_state *state) { return jq.jq_get_error_message(state); }

jv_kind oap_jv_get_kind(jv value) { return jq.jv_get_kind(value); }
jv oap_jv_copy(jv value) { return jq.jv_copy(value); }
void oap_jv_free(jv value) { jq.jv_free(value); }
jv oap_jv_invalid(void) { return jq.jv_invalid(); }
jv oap_jv_invalid_get_msg(jv value) { return jq.jv_invalid_get_msg(value); }
int oap_jv_invalid_has_msg(jv value) { return jq.jv_invalid_has_msg(value); }
jv oap_jv_null(void) { return jq.jv_null(); }
jv oap_jv_bool(int value) { return jq.jv_bool(value); }
jv oap_jv_number(double value) { return jq.jv_number(value); }
double oap_jv_number_value(jv value) { return jq.jv_number_value(value); }
jv oap_jv_string_sized(const uint8_t *bytes, int length) { return jq.jv_string_sized((const char *)bytes, length); }
const uint8_t *oap_jv_string_value(jv value) { return (const uint8_t *)jq.jv_string_value(value); }
int oap_jv_string_length_bytes(jv value) { return jq.jv_string_length_bytes(value); }
jv oap_jv_array(void) { return jq.jv_array(); }
jv oap_jv_array_append(jv array, jv value) { return jq.jv_array_append(array, value); }
jv oap_jv_object(void) { return jq.jv_object(); }
jv oap_jv_object_set(jv object, jv name, jv value) { return jq.jv_object_set(object, name, value); }
jv oap_jv_dump_string(jv value, int flags) { return jq.jv_dump_string(value, flags); }

const char *oap_jq_file(void) {
    Dl_info info;
    return dladdr((void *)jq.jq_init, &info) != 0 ? info.dli_fname : NULL;
}
