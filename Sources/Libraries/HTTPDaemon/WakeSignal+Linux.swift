internal import CLinux

extension WakeSignal {
    static func make() -> Int32 {
        eventfd(0, Int32(EFD_NONBLOCK | EFD_CLOEXEC))
    }
}
