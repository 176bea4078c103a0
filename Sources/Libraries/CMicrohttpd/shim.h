#ifndef CMicrohttpd_SHIM_H
#define CMicrohttpd_SHIM_H

#include <microhttpd.h>

// MHD_start_daemon is variadic: Swift cannot call it.
static inline struct MHD_Daemon *CMicrohttpd_start(
    unsigned int flags, MHD_AccessHandlerCallback handler, void *context, struct MHD_OptionItem *items)
{
    return MHD_start_daemon(flags, 0, NULL, NULL, handler, context, MHD_OPTION_ARRAY, items, MHD_OPTION_END);
}

// MHD_get_connection_info is variadic: the connection's socket, or -1.
static inline int CMicrohttpd_socket(struct MHD_Connection *connection)
{
    const union MHD_ConnectionInfo *info =
        MHD_get_connection_info(connection, MHD_CONNECTION_INFO_CONNECTION_FD);
    return info ? info->connect_fd : -1;
}

// MHD_set_response_options is variadic: lets the application send Content-Length itself, as Node does with 204.
static inline void CMicrohttpd_allow_length(struct MHD_Response *response)
{
    MHD_set_response_options(response, MHD_RF_INSANITY_HEADER_CONTENT_LENGTH, MHD_RO_END);
}

// MHD_get_connection_info is variadic: what MHD_OPTION_NOTIFY_CONNECTION left for the connection.
static inline void *CMicrohttpd_context(struct MHD_Connection *connection)
{
    const union MHD_ConnectionInfo *info =
        MHD_get_connection_info(connection, MHD_CONNECTION_INFO_SOCKET_CONTEXT);
    return info ? info->socket_context : NULL;
}

// MHD_upgrade_action is variadic: closes a connection that went over to another protocol.
static inline enum MHD_Result CMicrohttpd_close_upgraded(struct MHD_UpgradeResponseHandle *handle)
{
    return MHD_upgrade_action(handle, MHD_UPGRADE_ACTION_CLOSE);
}

#endif
