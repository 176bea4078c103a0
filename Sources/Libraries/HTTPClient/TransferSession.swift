import CCurl

/// A libcurl multi handle with its connections and the easy handles that are not in use.
///
/// SAFETY: between leaving and returning to the client's pool, whose lock orders the hand-over, one thread uses
/// it; other threads call only ``wake()``, which libcurl allows.
@safe final class TransferSession: @unchecked Sendable {
    private static let isReady = CCurl_global_init() == CURLE_OK
    /// How long one wait lasts at most; a wake-up ends it at once.
    private static let waitMilliseconds: Int32 = 1000

    @safe private struct Running {
        let handle: UnsafeMutableRawPointer
        let exchange: Exchange
        let headers: UnsafeMutablePointer<curl_slist>?
    }

    private let multi: UnsafeMutableRawPointer
    private var idle: [UnsafeMutableRawPointer] = unsafe []
    private var running: [Running] = []

    /// A session without connections; nil when libcurl has no memory.
    init?() {
        guard Self.isReady, let multi = unsafe curl_multi_init() else { return nil }
        unsafe self.multi = multi
    }

    deinit {
        unsafe idle.forEach { unsafe curl_easy_cleanup($0) }
        _ = unsafe curl_multi_cleanup(multi)
    }

    /// Ends a wait of ``perform(_:maximumParallel:isCancelled:)``; may be called from any thread.
    func wake() {
        _ = unsafe curl_multi_wakeup(multi)
    }

    /// Runs exchanges to their ends, at most so many at once.
    func perform(_ exchanges: [Exchange], maximumParallel: Int, isCancelled: () -> Bool) {
        var waiting = exchanges[...]
        while true {
            while running.count < maximumParallel, let next = waiting.popFirst() { start(next) }
            var active: Int32 = 0
            let code = unsafe curl_multi_perform(multi, &active)
            collect()
            if running.isEmpty && waiting.isEmpty { return }
            guard code == CURLM_OK, !isCancelled() else {
                let error: HTTPClientError =
                    code == CURLM_OK ? .cancelled : .other(code: Int(code.rawValue), text: "libcurl failed")
                for transfer in running { transfer.exchange.end(error) }
                for exchange in waiting { exchange.end(error) }
                running.forEach { release($0, reuse: false) }
                running = []
                return
            }
            if running.isEmpty { continue }
            _ = unsafe curl_multi_poll(multi, nil, 0, Self.waitMilliseconds, nil)
        }
    }

    private func start(_ exchange: Exchange) {
        if let problem = RequestOptions.problem(of: exchange.request) {
            return exchange.end(.other(code: 0, text: problem))
        }
        guard let handle = unsafe idle.popLast() ?? curl_easy_init() else {
            return exchange.end(.other(code: 0, text: "libcurl cannot start"))
        }
        let headers = unsafe RequestOptions.headerList(of: exchange.request)
        let code = unsafe RequestOptions.apply(exchange, headers: headers, to: handle)
        let transfer = unsafe Running(handle: handle, exchange: exchange, headers: headers)
        guard code == CURLE_OK else {
            exchange.end(code: code, systemError: 0, httpVersion: 0)
            return release(transfer, reuse: false)
        }
        guard unsafe curl_multi_add_handle(multi, handle) == CURLM_OK else {
            exchange.end(.other(code: 0, text: "libcurl cannot add a transfer"))
            return release(transfer, reuse: false)
        }
        running.append(transfer)
    }

    /// Ends the exchanges that libcurl has finished.
    private func collect() {
        var left: Int32 = 0
        while let message = unsafe curl_multi_info_read(multi, &left) {
            guard unsafe message.pointee.msg == CURLMSG_DONE, let handle = unsafe message.pointee.easy_handle,
                let index = running.firstIndex(where: { unsafe $0.handle == handle })
            else { continue }
            let result = unsafe CCurl_message_result(message)
            var systemError = 0
            var version = 0
            _ = unsafe CCurl_get_long(handle, CURLINFO_OS_ERRNO, &systemError)
            _ = unsafe CCurl_get_long(handle, CURLINFO_HTTP_VERSION, &version)
            let transfer = running.remove(at: index)
            transfer.exchange.end(code: result, systemError: systemError, httpVersion: version)
            release(transfer, reuse: true)
        }
    }

    private func release(_ transfer: Running, reuse: Bool) {
        _ = unsafe curl_multi_remove_handle(multi, transfer.handle)
        unsafe curl_slist_free_all(transfer.headers)
        if reuse {
            unsafe curl_easy_reset(transfer.handle)
            unsafe idle.append(transfer.handle)
        } else {
            unsafe curl_easy_cleanup(transfer.handle)
        }
    }
}
