internal import CMicrohttpd

/// Where header fields come from: the library's connection, or a copy.
///
/// SAFETY: the connection is read under the request's lock only, and forgotten there before it ends.
@safe struct HeaderSource: @unchecked Sendable {
    private let connection: OpaquePointer?
    private let copied: [(String, String)]

    init(copied: [(String, String)]) {
        unsafe connection = nil
        self.copied = copied
    }

    init(connection: OpaquePointer) {
        unsafe self.connection = connection
        copied = []
    }

    func value(of name: String) -> String? {
        guard let connection = unsafe connection else {
            let wanted = name.lowercased()
            return copied.first { $0.0.lowercased() == wanted }?.1
        }
        // Lent in place: passing the text itself would make a copy on the heap.
        return unsafe name.withCString { name in
            let value = unsafe MHD_lookup_connection_value(connection, .HEADER_KIND, name)
            return unsafe value.map { unsafe String(cString: $0) }
        }
    }

    var all: [(String, String)] {
        guard let connection = unsafe connection else { return copied }
        var fields: [(String, String)] = []
        unsafe withUnsafeMutablePointer(to: &fields) { pointer in
            _ = unsafe MHD_get_connection_values(connection, .HEADER_KIND, Self.collect, pointer)
        }
        return fields
    }

    private static let collect: MHD_KeyValueIterator = { raw, _, name, value in
        guard let fields = unsafe raw?.assumingMemoryBound(to: [(String, String)].self) else { return .NO }
        let name = unsafe name.map { unsafe String(cString: $0) } ?? ""
        let value = unsafe value.map { unsafe String(cString: $0) } ?? ""
        unsafe fields.pointee.append((name, value))
        return .YES
    }
}
