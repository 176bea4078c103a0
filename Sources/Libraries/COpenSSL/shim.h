#ifndef COpenSSL_SHIM_H
#define COpenSSL_SHIM_H

#include <openssl/ssl.h>
#include <openssl/err.h>
#include <openssl/evp.h>
#include <openssl/x509v3.h>
#include <openssl/pem.h>
#include <openssl/rand.h>
#include <openssl/ecdsa.h>

// The options of a server context: macros with casts, which Swift does not import.
static inline uint64_t COpenSSL_server_options(void) {
    return SSL_OP_NO_COMPRESSION | SSL_OP_NO_RENEGOTIATION | SSL_OP_CIPHER_SERVER_PREFERENCE
        | SSL_OP_IGNORE_UNEXPECTED_EOF;
}

// The reason in an error's code: an inline function in OpenSSL 3, a macro before.
static inline int COpenSSL_reason(unsigned long code) { return ERR_GET_REASON(code); }

#endif
