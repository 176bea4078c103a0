#ifndef CDASHBOARD_H
#define CDASHBOARD_H

#include <stddef.h>

/// A file of the dashboard as it was when the package was built.
struct mocknet_dashboard_file {
    /// Its name in the folder `assets`, ended by a zero byte.
    const char *name;
    const unsigned char *bytes;
    size_t count;
};

/// The file of an index from 0 on, for good; without a name where there is none.
struct mocknet_dashboard_file mocknet_dashboard_file(size_t index);

#endif
