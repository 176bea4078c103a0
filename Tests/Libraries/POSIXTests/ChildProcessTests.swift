import POSIX
import Testing

@Suite("Child processes")
struct ChildProcessTests {
    @Test("pass on how they ended", arguments: [0, 1, 7, 255])
    func exitCodes(code: Int32) throws {
        let child = try ChildProcess(
            arguments: ["sh", "-c", "exit \(code)"],
            environment: ProcessEnvironment.all
        )
        #expect(child.wait() == .exited(code))
    }

    @Test("end by a signal that is sent to them", arguments: [Signal.terminate, .interrupt, .hangup])
    func signals(signal: Signal) throws {
        let child = try ChildProcess(arguments: ["sleep", "60"], environment: ProcessEnvironment.all)
        #expect(child.poll() == nil)
        child.send(signal)
        #expect(child.wait() == .signalled(signal))
    }

    @Test("see the environment they are given and nothing else")
    func environment() throws {
        let test = #"test "$A" = "x y" && test -z "$HOME""#
        let child = try ChildProcess(arguments: ["/bin/sh", "-c", test], environment: ["A=x y"])
        #expect(child.wait() == .exited(0))
    }

    @Test("that do not exist cannot be started")
    func missing() {
        let error = #expect(throws: POSIXError.self) {
            try ChildProcess(arguments: ["no-such-program-here"], environment: [])
        }
        #expect(error?.description == "cannot start no-such-program-here: No such file or directory")
        #expect(throws: POSIXError.self) { try ChildProcess(arguments: [], environment: []) }
    }

    @Test("variables of this process are listed and looked up alike")
    func ownEnvironment() {
        let path = ProcessEnvironment.value("PATH")
        #expect(ProcessEnvironment.all.contains("PATH=\(path ?? "")"))
        #expect(ProcessEnvironment.value("NO_SUCH_VARIABLE_HERE") == nil)
    }
}
