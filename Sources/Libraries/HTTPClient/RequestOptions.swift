import CCurl

/// How a request becomes options of a libcurl easy handle.
enum RequestOptions {
    /// Headers that libcurl adds on its own and that are sent only where the request names them.
    private static let suppressed = ["Accept", "Content-Type", "Expect", "User-Agent"]

    /// Why a request cannot be sent; nil when it can.
    static func problem(of request: HTTPClientRequest) -> String? {
        let texts = [request.method, request.url] + request.headers.flatMap { [$0.name, $0.value] }
        let isClean = texts.allSatisfy { $0.utf8.allSatisfy { $0 != 0 && $0 != 10 && $0 != 13 } }
        return isClean ? nil : "line break or NUL in a method, URL or header"
    }

    /// The headers as libcurl's list, to be freed by the caller.
    static func headerList(of request: HTTPClientRequest) -> UnsafeMutablePointer<curl_slist>? {
        var list: UnsafeMutablePointer<curl_slist>?
        let names = request.headers.map { $0.name.lowercased() }
        let lines =
            request.headers.map { $0.value.isEmpty ? "\($0.name);" : "\($0.name): \($0.value)" }
            + suppressed.filter { !names.contains($0.lowercased()) }.map { "\($0):" }
        for line in lines {
            if let longer = unsafe curl_slist_append(list, line) { unsafe list = longer }
        }
        return unsafe list
    }

    /// Sets everything; the first failure, if any.
    ///
    /// SAFETY: the handle's callbacks use `exchange`, which the session keeps until the handle is done with.
    static func apply(
        _ exchange: Exchange,
        headers: UnsafeMutablePointer<curl_slist>?,
        to handle: UnsafeMutableRawPointer
    ) -> CURLcode {
        let request = exchange.request
        let options = exchange.options
        let context = unsafe Unmanaged.passUnretained(exchange).toOpaque()
        let version =
            switch options.httpVersion {
            case .http1: Int(CURL_HTTP_VERSION_1_1)
            case .http2: Int(CURL_HTTP_VERSION_2TLS)
            }
        var setter = unsafe Setter(handle: handle)
        setter.long(CURLOPT_NOSIGNAL, 1)
        setter.string(CURLOPT_PROTOCOLS_STR, "http,https")
        setter.string(CURLOPT_PROXY, "")
        setter.string(CURLOPT_NOPROXY, "*")
        setter.string(CURLOPT_URL, request.url)
        setter.long(CURLOPT_HTTP_VERSION, version)
        setter.long(CURLOPT_PIPEWAIT, options.httpVersion == .http2 && !request.usesFreshConnection ? 1 : 0)
        setter.long(CURLOPT_TIMEOUT_MS, max(0, request.timeoutMilliseconds ?? options.timeoutMilliseconds))
        setter.long(CURLOPT_CONNECTTIMEOUT_MS, max(1, options.connectTimeoutMilliseconds))
        setter.long(CURLOPT_FRESH_CONNECT, request.usesFreshConnection ? 1 : 0)
        setter.long(CURLOPT_FORBID_REUSE, request.usesFreshConnection ? 1 : 0)
        setter.long(CURLOPT_TCP_NODELAY, 1)
        if let caFile = options.caFile {
            setter.string(CURLOPT_CAINFO, caFile)
            unsafe setter.pointer(CURLOPT_CAPATH, nil)
        }
        setter.method(request)
        unsafe setter.pointer(CURLOPT_HTTPHEADER, UnsafeMutableRawPointer(headers))
        unsafe setter.pointer(CURLOPT_WRITEDATA, context)
        unsafe setter.pointer(CURLOPT_HEADERDATA, context)
        unsafe setter.pointer(CURLOPT_PREREQDATA, context)
        unsafe setter.prerequest(admit)
        unsafe setter.callback(CURLOPT_WRITEFUNCTION, takeBody)
        unsafe setter.callback(CURLOPT_HEADERFUNCTION, takeHeader)
        return setter.code
    }

    private static let admit: curl_prereq_callback = { context, _, _, _, _ in
        guard let context = unsafe context else { return CURL_PREREQFUNC_ABORT }
        let exchange = unsafe Unmanaged<Exchange>.fromOpaque(context).takeUnretainedValue()
        return exchange.mayBeSent() ? CURL_PREREQFUNC_OK : CURL_PREREQFUNC_ABORT
    }

    private static let takeBody: curl_write_callback = { data, size, count, context in
        guard let data = unsafe data, let context = unsafe context else { return 0 }
        let exchange = unsafe Unmanaged<Exchange>.fromOpaque(context).takeUnretainedValue()
        let raw = unsafe UnsafeRawBufferPointer(start: data, count: size * count)
        return unsafe exchange.takeBody([UInt8](raw)) ? size * count : 0
    }

    private static let takeHeader: curl_write_callback = { data, size, count, context in
        guard let data = unsafe data, let context = unsafe context else { return 0 }
        let exchange = unsafe Unmanaged<Exchange>.fromOpaque(context).takeUnretainedValue()
        let raw = unsafe UnsafeRawBufferPointer(start: data, count: size * count)
        unsafe exchange.takeHeader(String(decoding: raw, as: UTF8.self))
        return size * count
    }
}

/// Sets options of one handle and keeps the first failure.
@safe private struct Setter {
    private let handle: UnsafeMutableRawPointer
    private(set) var code = CURLE_OK

    init(handle: UnsafeMutableRawPointer) {
        unsafe self.handle = handle
    }

    mutating func long(_ option: CURLoption, _ value: Int) {
        note(unsafe CCurl_set_long(handle, option, value))
    }

    mutating func string(_ option: CURLoption, _ value: String) {
        note(unsafe CCurl_set_string(handle, option, value))
    }

    mutating func pointer(_ option: CURLoption, _ value: UnsafeMutableRawPointer?) {
        note(unsafe CCurl_set_pointer(handle, option, value))
    }

    mutating func callback(_ option: CURLoption, _ value: curl_write_callback?) {
        note(unsafe CCurl_set_callback(handle, option, value))
    }

    mutating func prerequest(_ value: curl_prereq_callback?) {
        note(unsafe CCurl_set_prerequest(handle, value))
    }

    mutating func method(_ request: HTTPClientRequest) {
        if request.method == "HEAD" { return long(CURLOPT_NOBODY, 1) }
        if let body = request.body ?? (request.method == "POST" ? [] : nil) {
            note(unsafe CCurl_set_offset(handle, CURLOPT_POSTFIELDSIZE_LARGE, curl_off_t(body.count)))
            note(
                unsafe body.withUnsafeBytes { bytes in
                    unsafe CCurl_set_pointer(
                        handle,
                        CURLOPT_COPYPOSTFIELDS,
                        UnsafeMutableRawPointer(mutating: bytes.baseAddress)
                    )
                }
            )
        }
        string(CURLOPT_CUSTOMREQUEST, request.method)
    }

    private mutating func note(_ result: CURLcode) {
        if code == CURLE_OK { code = result }
    }
}
