#ifndef OAP_CLIBJQ_H
#define OAP_CLIBJQ_H
#include <jq.h>
#include <jv.h>
#include <stdint.h>

/// Loads libjq.so.1 (1.6 or later). Returns NULL, or why not. Call once before any other function here.
const char *oap_jq_load(void);

/// The path that libjq was loaded from, or NULL; the library has no function that tells its version.
const char *oap_jq_file(void);

/// Whether libjq is 1.6 (or older).
int oap_jq_is_1_6(void);

/// May change the text of definitions that libjq is about to parse, but not its length. Returns 0 if it is not the text
/// of the builtins; then it is not called again for this filter.
typedef int (*oap_jq_builtins_cb)(uint8_t *text, int length, void *data);

/// `oap_jq_compile_args`, letting `change` change the text of the builtins of libjq 1.6. Any other libjq parses its own.
int oap_jq_compile_args_changing(
    jq_state *state, const char *text, jv arguments, oap_jq_builtins_cb change, void *data);

/// libjq's own `jq_parse_library`, which is not in its headers: `int jq_parse_library(struct locfile *, block *)`.
struct locfile;
int oap_jq_parse_library(struct locfile *file, void *definitions);

/// Lets libjq note that it gets no memory in this thread, before it aborts.
void oap_jq_note_no_memory(jq_state *state);
/// Whether it has; may be asked by a signal handler.
int oap_jq_has_no_memory(void);
/// Whether oap_jq_next runs in this thread; may be asked by a signal handler.
int oap_jq_is_running(void);

// Below: the functions of <jq.h> and <jv.h> of the same name. As there, a jv that is passed is consumed and one that
// is returned belongs to the caller, but for oap_jv_get_kind, oap_jv_copy and oap_jv_string_value, which only look.

jq_state *oap_jq_init(void);
void oap_jq_teardown(jq_state **state);
void oap_jq_set_error_cb(jq_state *state, jq_msg_cb callback, void *data);
void oap_jq_set_debug_cb(jq_state *state, jq_msg_cb callback, void *data);
void oap_jq_set_input_cb(jq_state *state, jq_input_cb callback, void *data);

/// Does nothing where libjq is older than 1.7: there the builtin `stderr` writes by itself.
void oap_jq_set_stderr_cb(jq_state *state, jq_msg_cb callback, void *data);

void oap_jq_set_attr(jq_state *state, jv name, jv value);
int oap_jq_compile_args(jq_state *state, const char *text, jv arguments);
jv oap_jq_format_error(jv message);
void oap_jq_start(jq_state *state, jv input, int flags);
jv oap_jq_next(jq_state *state);
void oap_jq_halt(jq_state *state, jv exit_code, jv message);
int oap_jq_halted(jq_state *state);
jv oap_jq_get_exit_code(jq_state *state);
jv oap_jq_get_error_message(jq_state *state);

jv_kind oap_jv_get_kind(jv value);
jv oap_jv_copy(jv value);
void oap_jv_free(jv value);
jv oap_jv_invalid(void);
jv oap_jv_invalid_get_msg(jv value);
int oap_jv_invalid_has_msg(jv value);
jv oap_jv_null(void);
jv oap_jv_bool(int value);
jv oap_jv_number(double value);
double oap_jv_number_value(jv value);
jv oap_jv_string_sized(const uint8_t *bytes, int length);
const uint8_t *oap_jv_string_value(jv value);
int oap_jv_string_length_bytes(jv value);
jv oap_jv_array(void);
jv oap_jv_array_append(jv array, jv value);
jv oap_jv_object(void);
jv oap_jv_object_set(jv object, jv name, jv value);
jv oap_jv_dump_string(jv value, int flags);

#endif
