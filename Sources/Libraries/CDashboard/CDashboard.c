#include "CDashboard.h"

// In C, since Swift has no way to compile a file in. clang takes C23's `#embed` in any C, and warns that it does.
#ifndef __has_embed
#error "the compiler must know #embed: clang 19 or newer"
#endif
#pragma clang diagnostic ignored "-Wc23-extensions"

static const unsigned char api_js[] = {
#embed "assets/api.js"
};
static const unsigned char app_js[] = {
#embed "assets/app.js"
};
static const unsigned char audit_js[] = {
#embed "assets/audit.js"
};
static const unsigned char chain_js[] = {
#embed "assets/chain.js"
};
static const unsigned char chart_js[] = {
#embed "assets/chart.js"
};
static const unsigned char devices_js[] = {
#embed "assets/devices.js"
};
static const unsigned char docs_css[] = {
#embed "assets/docs.css"
};
static const unsigned char docs_html[] = {
#embed "assets/docs.html"
};
static const unsigned char docs_js[] = {
#embed "assets/docs.js"
};
static const unsigned char dom_js[] = {
#embed "assets/dom.js"
};
static const unsigned char faults_js[] = {
#embed "assets/faults.js"
};
static const unsigned char format_js[] = {
#embed "assets/format.js"
};
static const unsigned char happenings_js[] = {
#embed "assets/happenings.js"
};
static const unsigned char icon_svg[] = {
#embed "assets/icon.svg"
};
static const unsigned char index_html[] = {
#embed "assets/index.html"
};
static const unsigned char list_js[] = {
#embed "assets/list.js"
};
static const unsigned char live_js[] = {
#embed "assets/live.js"
};
static const unsigned char nodes_js[] = {
#embed "assets/nodes.js"
};
static const unsigned char openapi_json[] = {
#embed "assets/openapi.json"
};
static const unsigned char overview_js[] = {
#embed "assets/overview.js"
};
static const unsigned char pushes_js[] = {
#embed "assets/pushes.js"
};
static const unsigned char registry_js[] = {
#embed "assets/registry.js"
};
static const unsigned char requests_js[] = {
#embed "assets/requests.js"
};
static const unsigned char send_js[] = {
#embed "assets/send.js"
};
static const unsigned char statistics_js[] = {
#embed "assets/statistics.js"
};
static const unsigned char style_css[] = {
#embed "assets/style.css"
};
static const unsigned char timeline_js[] = {
#embed "assets/timeline.js"
};
static const unsigned char tour_js[] = {
#embed "assets/tour.js"
};
static const unsigned char views_css[] = {
#embed "assets/views.css"
};

#define FILE_OF(name, bytes) {name, bytes, sizeof bytes}

static const struct mocknet_dashboard_file files[] = {
    FILE_OF("api.js", api_js),
    FILE_OF("app.js", app_js),
    FILE_OF("audit.js", audit_js),
    FILE_OF("chain.js", chain_js),
    FILE_OF("chart.js", chart_js),
    FILE_OF("devices.js", devices_js),
    FILE_OF("docs.css", docs_css),
    FILE_OF("docs.html", docs_html),
    FILE_OF("docs.js", docs_js),
    FILE_OF("dom.js", dom_js),
    FILE_OF("faults.js", faults_js),
    FILE_OF("format.js", format_js),
    FILE_OF("happenings.js", happenings_js),
    FILE_OF("icon.svg", icon_svg),
    FILE_OF("index.html", index_html),
    FILE_OF("list.js", list_js),
    FILE_OF("live.js", live_js),
    FILE_OF("nodes.js", nodes_js),
    FILE_OF("openapi.json", openapi_json),
    FILE_OF("overview.js", overview_js),
    FILE_OF("pushes.js", pushes_js),
    FILE_OF("registry.js", registry_js),
    FILE_OF("requests.js", requests_js),
    FILE_OF("send.js", send_js),
    FILE_OF("statistics.js", statistics_js),
    FILE_OF("style.css", style_css),
    FILE_OF("timeline.js", timeline_js),
    FILE_OF("tour.js", tour_js),
    FILE_OF("views.css", views_css),
};

struct mocknet_dashboard_file mocknet_dashboard_file(size_t index) {
    const struct mocknet_dashboard_file none = {NULL, NULL, 0};
    return index < sizeof files / sizeof *files ? files[index] : none;
}
