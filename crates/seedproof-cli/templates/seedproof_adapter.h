/* The Seedproof adapter protocol, version 1, from the adapter's side: one header, C11 or C++17, no library.
 *
 * Write two functions, include this header in one source file, and build:
 *
 *     const char *sp_hello(void);                              what this implementation is and has, as JSON
 *     void sp_run(const sp_request *request, sp_reply *reply);  answer one request
 *
 * sp_run calls exactly one of sp_output (once for each output that is asked for, and fills what it returns), sp_reject
 * and sp_unsupported, or has sp_one_of, sp_typed or sp_optional refuse; if none of them is called, the answer is an error.
 * Nothing else may write to standard output: it is moved to standard error before sp_run is called for the first time. */
#ifndef SEEDPROOF_ADAPTER_H
#define SEEDPROOF_ADAPTER_H

/* Strict C hides fdopen and dup without this; it must come before the first system header. */
#if !defined(_WIN32) && !defined(_POSIX_C_SOURCE) && !defined(__cplusplus)
#define _POSIX_C_SOURCE 200809L
#endif

#include <inttypes.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#ifdef _WIN32
#include <fcntl.h>
#include <io.h>
#define sp_dup _dup
#define sp_dup2 _dup2
#define sp_fdopen _fdopen
#else
#include <unistd.h>
#define sp_dup dup
#define sp_dup2 dup2
#define sp_fdopen fdopen
#endif

#define SP_MAX_RANK 32
#define SP_MAX_OUTPUTS 8

/* Elements in row-major order, little-endian, each at its own width. */
typedef struct {
    char dtype[8];
    size_t rank;
    uint64_t dims[SP_MAX_RANK];
    size_t count;
    size_t bytes;
    unsigned char *data;
} sp_tensor;

typedef struct sp_json sp_json;

typedef struct {
    const char *op;
    uint64_t execution;
    const sp_json *attrs;
    const sp_json *inputs;
    unsigned char *body;
    size_t body_bytes;
} sp_request;

typedef struct {
    const char *status;
    char kind[32];
    char reason[256];
    size_t outputs;
    const char *names[SP_MAX_OUTPUTS];
    sp_tensor tensors[SP_MAX_OUTPUTS];
} sp_reply;

/* Yours. */
const char *sp_hello(void);
void sp_run(const sp_request *request, sp_reply *reply);

/* An attribute as text (seeds are decimal text); "" if it is absent or no text. */
static inline const char *sp_text(const sp_request *request, const char *name);
/* An attribute that is decimal text, as a number. */
static inline uint64_t sp_seed(const sp_request *request, const char *name);
/* An attribute that is true or false. */
static inline int sp_flag(const sp_request *request, const char *name);
/* An attribute that is a list of numbers; returns how many, at most SP_MAX_RANK. */
static inline size_t sp_sizes(const sp_request *request, const char *name, uint64_t *sizes);
/* An input; returns 0 if it is absent or malformed. Its data lives as long as the request. */
static inline int sp_input(const sp_request *request, const char *name, sp_tensor *tensor);
/* An attribute that is one of these names, with a space between each two; "" after a refusal. */
static inline const char *sp_one_of(const sp_request *request, sp_reply *reply, const char *name, const char *names);
/* An input of one of these types, with a space between each two, and so many extents, or a refusal. */
static inline sp_tensor sp_typed(const sp_request *request, sp_reply *reply, const char *name, const char *dtypes,
                                 size_t least_rank, size_t greatest_rank);
/* The same, but where it is absent its data is NULL. */
static inline sp_tensor sp_optional(const sp_request *request, sp_reply *reply, const char *name, const char *dtypes,
                                    size_t least_rank, size_t greatest_rank);
/* Makes an output and returns its bytes to be filled; NULL if there is no memory. `name` must be a literal. */
static inline void *sp_output(sp_reply *reply, const char *name, const char *dtype, size_t rank, const uint64_t *dims);
/* Refuses an invalid request. `kind` is dtype, shape, range, attribute, probabilities, samples or state. */
static inline void sp_reject(sp_reply *reply, const char *kind, const char *reason);
/* Says that this implementation does not have what the request asks for. */
static inline void sp_unsupported(sp_reply *reply, const char *reason);

/* ---- the protocol; nothing below is yours ---- */

enum { SP_NULL, SP_BOOL, SP_NUMBER, SP_TEXT, SP_LIST, SP_OBJECT };

struct sp_json {
    int type;
    int truth;
    uint64_t number;
    char *text;
    char *name;
    struct sp_json *first, *next;
};

static inline void sp_free(sp_json *value) {
    while (value) {
        sp_json *next = value->next;
        sp_free(value->first);
        free(value->text);
        free(value->name);
        free(value);
        value = next;
    }
}

static inline void sp_space(const char **at) {
    while (**at == ' ' || **at == '\t' || **at == '\n' || **at == '\r' || **at == ',' || **at == ':') ++*at;
}

/* Text without the escapes that no name of the protocol has; \uXXXX is kept as it stands. */
static inline char *sp_string(const char **at) {
    const char *start = ++*at;
    while (**at && **at != '"') *at += **at == '\\' && (*at)[1] ? 2 : 1;
    size_t length = (size_t)(*at - start);
    char *text = (char *)calloc(length + 1, 1), *to = text;
    if (!text) return NULL;
    for (size_t i = 0; i < length; i++) {
        if (start[i] == '\\' && i + 1 < length && start[i + 1] != 'u') i++;
        *to++ = start[i];
    }
    if (**at) ++*at;
    return text;
}

static inline sp_json *sp_parse(const char **at, int depth) {
    sp_json *value = (sp_json *)calloc(1, sizeof *value);
    if (!value || depth > 16) return value;
    sp_space(at);
    if (**at == '"') {
        value->type = SP_TEXT;
        value->text = sp_string(at);
    } else if (**at == '{' || **at == '[') {
        int object = **at == '{';
        sp_json **tail = &value->first;
        value->type = object ? SP_OBJECT : SP_LIST;
        for (++*at, sp_space(at); **at && **at != '}' && **at != ']'; sp_space(at)) {
            char *name = NULL;
            if (object) {
                if (**at != '"') break;
                name = sp_string(at);
            }
            const char *before = *at;
            *tail = sp_parse(at, depth + 1);
            if (!*tail || *at == before) {
                free(name);
                break;
            }
            (*tail)->name = name;
            tail = &(*tail)->next;
        }
        if (**at) ++*at;
    } else {
        value->type = **at == 't' || **at == 'f' ? SP_BOOL : **at == 'n' ? SP_NULL : SP_NUMBER;
        value->truth = **at == 't';
        value->number = strtoull(*at, NULL, 10);
        while (**at && !strchr(",]} \t\r\n", **at)) ++*at;
    }
    return value;
}

static inline const sp_json *sp_member(const sp_json *object, const char *name) {
    const sp_json *value = object && object->type == SP_OBJECT ? object->first : NULL;
    while (value && !(value->name && !strcmp(value->name, name))) value = value->next;
    return value;
}

static inline const char *sp_text_of(const sp_json *object, const char *name) {
    const sp_json *value = sp_member(object, name);
    return value && value->type == SP_TEXT && value->text ? value->text : "";
}

static inline uint64_t sp_number_of(const sp_json *object, const char *name) {
    const sp_json *value = sp_member(object, name);
    return value && value->type == SP_NUMBER ? value->number : 0;
}

static inline size_t sp_list_of(const sp_json *object, const char *name, uint64_t *numbers) {
    const sp_json *list = sp_member(object, name), *item = list ? list->first : NULL;
    size_t count = 0;
    for (; item && count < SP_MAX_RANK; item = item->next) numbers[count++] = item->number;
    return count;
}

static inline size_t sp_width(const char *dtype) {
    static const char *const names[] = {"u8", "i8", "u16", "i16", "f16", "bf16", "u32", "i32", "f32", "u64", "i64", "f64"};
    static const size_t widths[] = {1, 1, 2, 2, 2, 2, 4, 4, 4, 8, 8, 8};
    for (size_t i = 0; i < sizeof widths / sizeof *widths; i++)
        if (!strcmp(names[i], dtype)) return widths[i];
    return 0;
}

static inline const char *sp_text(const sp_request *request, const char *name) { return sp_text_of(request->attrs, name); }

static inline uint64_t sp_seed(const sp_request *request, const char *name) {
    return strtoull(sp_text(request, name), NULL, 10);
}

static inline int sp_flag(const sp_request *request, const char *name) {
    const sp_json *value = sp_member(request->attrs, name);
    return value && value->truth;
}

static inline size_t sp_sizes(const sp_request *request, const char *name, uint64_t *sizes) {
    return sp_list_of(request->attrs, name, sizes);
}

static inline void sp_form(sp_tensor *tensor, const char *dtype, size_t rank, const uint64_t *dims) {
    memset(tensor, 0, sizeof *tensor);
    snprintf(tensor->dtype, sizeof tensor->dtype, "%s", dtype);
    tensor->rank = rank;
    tensor->count = 1;
    for (size_t i = 0; i < rank; i++) {
        tensor->dims[i] = dims[i];
        tensor->count *= (size_t)dims[i];
    }
    tensor->bytes = tensor->count * sp_width(tensor->dtype);
}

static inline int sp_input(const sp_request *request, const char *name, sp_tensor *tensor) {
    const sp_json *value = sp_member(request->inputs, name);
    uint64_t dims[SP_MAX_RANK], offset = sp_number_of(value, "offset"), length = sp_number_of(value, "length");
    if (!value) return 0;
    sp_form(tensor, sp_text_of(value, "dtype"), sp_list_of(value, "shape", dims), dims);
    if (offset > request->body_bytes || length > request->body_bytes - offset || length != tensor->bytes) return 0;
    tensor->data = request->body + offset;
    return 1;
}

static inline void *sp_output(sp_reply *reply, const char *name, const char *dtype, size_t rank, const uint64_t *dims) {
    if (reply->outputs == SP_MAX_OUTPUTS || rank > SP_MAX_RANK) return NULL;
    sp_tensor *tensor = &reply->tensors[reply->outputs];
    sp_form(tensor, dtype, rank, dims);
    tensor->data = (unsigned char *)malloc(tensor->bytes ? tensor->bytes : 1);
    if (!tensor->data) return NULL;
    reply->names[reply->outputs++] = name;
    reply->status = "ok";
    return tensor->data;
}

static inline void sp_say(sp_reply *reply, const char *status, const char *kind, const char *reason) {
    reply->status = status;
    snprintf(reply->kind, sizeof reply->kind, "%s", kind);
    size_t length = 0;
    for (; *reason && length + 1 < sizeof reply->reason; reason++)
        if ((unsigned char)*reason >= ' ' && *reason != '"' && *reason != '\\') reply->reason[length++] = *reason;
    reply->reason[length] = 0;
}

static inline void sp_reject(sp_reply *reply, const char *kind, const char *reason) {
    sp_say(reply, "rejected", kind, reason);
}

static inline void sp_unsupported(sp_reply *reply, const char *reason) { sp_say(reply, "unsupported", "", reason); }

/* Whether a word is one of those with a space between each two. */
static inline int sp_among(const char *words, const char *word) {
    size_t length = strlen(word);
    for (const char *at = words; length && at; at = strchr(at, ' ')) {
        at += *at == ' ';
        if (!strncmp(at, word, length) && (at[length] == ' ' || !at[length])) return 1;
    }
    return 0;
}

/* The first refusal stays. */
static inline void sp_refuse(sp_reply *reply, const char *kind, const char *name, const char *expected) {
    char reason[256];
    if (reply->status) return;
    snprintf(reason, sizeof reason, "%s: expected %s", name, expected);
    sp_reject(reply, kind, reason);
}

static inline const char *sp_one_of(const sp_request *request, sp_reply *reply, const char *name, const char *names) {
    const char *text = sp_text(request, name);
    if (sp_among(names, text)) return text;
    sp_refuse(reply, "attribute", name, names);
    return "";
}

static inline sp_tensor sp_typed(const sp_request *request, sp_reply *reply, const char *name, const char *dtypes,
                                 size_t least_rank, size_t greatest_rank) {
    sp_tensor tensor;
    memset(&tensor, 0, sizeof tensor);
    if (!sp_input(request, name, &tensor)) sp_refuse(reply, "", name, "an input");
    else if (!sp_among(dtypes, tensor.dtype)) sp_refuse(reply, "dtype", name, dtypes);
    else if (tensor.rank < least_rank || tensor.rank > greatest_rank) sp_refuse(reply, "", name, "another shape");
    return tensor;
}

static inline sp_tensor sp_optional(const sp_request *request, sp_reply *reply, const char *name, const char *dtypes,
                                    size_t least_rank, size_t greatest_rank) {
    sp_tensor absent;
    memset(&absent, 0, sizeof absent);
    if (!sp_member(request->inputs, name)) return absent;
    return sp_typed(request, reply, name, dtypes, least_rank, greatest_rank);
}

static inline void sp_put(FILE *out, uint64_t value, int bytes) {
    for (int i = 0; i < bytes; i++) fputc((int)(value >> 8 * i & 255), out);
}

static inline uint64_t sp_take(const unsigned char *bytes, int count) {
    uint64_t value = 0;
    for (int i = count - 1; i >= 0; i--) value = value << 8 | bytes[i];
    return value;
}

static inline void sp_answer(FILE *out, uint64_t seq, const sp_reply *reply) {
    char text[8192];
    uint64_t body = 0;
    int length = snprintf(text, sizeof text, "{\"seq\":%" PRIu64 ",\"status\":\"%s\"", seq,
                          reply->status ? reply->status : "error");
    if (!reply->status) length += snprintf(text + length, sizeof text - (size_t)length, ",\"message\":\"no answer\"");
    if (reply->kind[0])
        length += snprintf(text + length, sizeof text - (size_t)length, ",\"kind\":\"%s\"", reply->kind);
    if (reply->reason[0])
        length += snprintf(text + length, sizeof text - (size_t)length, ",\"reason\":\"%s\"", reply->reason);
    for (size_t i = 0; i < reply->outputs; i++) {
        const sp_tensor *tensor = &reply->tensors[i];
        uint64_t offset = (body + 7) / 8 * 8;
        length += snprintf(text + length, sizeof text - (size_t)length, "%s\"%s\":{\"dtype\":\"%s\",\"shape\":[",
                           i ? "," : ",\"outputs\":{", reply->names[i], tensor->dtype);
        for (size_t d = 0; d < tensor->rank; d++)
            length += snprintf(text + length, sizeof text - (size_t)length, "%s%" PRIu64, d ? "," : "", tensor->dims[d]);
        length += snprintf(text + length, sizeof text - (size_t)length, "],\"offset\":%" PRIu64 ",\"length\":%zu}%s",
                           offset, tensor->bytes, i + 1 == reply->outputs ? "}" : "");
        body = offset + tensor->bytes;
    }
    length += snprintf(text + length, sizeof text - (size_t)length, "}");
    fwrite("SPW1", 1, 4, out);
    sp_put(out, (uint64_t)length, 4);
    sp_put(out, body, 8);
    fwrite(text, 1, (size_t)length, out);
    for (size_t i = 0; i < reply->outputs; i++) {
        const sp_tensor *tensor = &reply->tensors[i];
        fwrite(tensor->data, 1, tensor->bytes, out);
        if (i + 1 < reply->outputs) sp_put(out, 0, (int)((8 - tensor->bytes % 8) % 8));
    }
    fflush(out);
}

static inline int sp_serve(void) {
    FILE *out = sp_fdopen(sp_dup(1), "wb");
    sp_dup2(2, 1);
#ifdef _WIN32
    _setmode(0, _O_BINARY);
#endif
    for (int c = getchar(); c != '\n'; c = getchar())
        if (c == EOF) return 1;
    fprintf(out, "{\"protocol\":1,\"framing\":\"frames\",%s}\n", sp_hello());
    fflush(out);
    for (;;) {
        unsigned char head[16];
        if (fread(head, 1, sizeof head, stdin) != sizeof head) return 0;
        size_t header = (size_t)sp_take(head + 4, 4), body = (size_t)sp_take(head + 8, 8);
        char *text = (char *)calloc(header + 1, 1);
        unsigned char *bytes = (unsigned char *)malloc(body ? body : 1);
        if (memcmp(head, "SPW1", 4) || !text || !bytes || fread(text, 1, header, stdin) != header ||
            fread(bytes, 1, body, stdin) != body)
            return 1;
        const char *at = text;
        sp_json *message = sp_parse(&at, 0);
        int bye = !strcmp(sp_text_of(message, "cmd"), "bye");
        if (!bye) {
            sp_request request = {sp_text_of(message, "op"),     sp_number_of(message, "execution"),
                                  sp_member(message, "attrs"), sp_member(message, "inputs"),
                                  bytes,                       body};
            sp_reply reply;
            memset(&reply, 0, sizeof reply);
            sp_run(&request, &reply);
            sp_answer(out, sp_number_of(message, "seq"), &reply);
            for (size_t i = 0; i < reply.outputs; i++) free(reply.tensors[i].data);
        }
        sp_free(message);
        free(text);
        free(bytes);
        if (bye) return 0;
    }
}

int main(void) { return sp_serve(); }

#endif
