import AdamantModel
import Simulators
import Testing
import TraceRules

@Suite("Registry: signals in the chain's order")
struct SignalRegistryTests {
    @Test("adds, repeats, removes, and knows every moment")
    func history() {
        var chain = SignalChain()
        chain.forge([SignalChain.signal(.add, "t1", at: 1)])
        chain.forge([SignalChain.signal(.add, "t1", at: 2), SignalChain.signal(.add, "t2", at: 3)])
        chain.forge([SignalChain.signal(.remove, "t1", at: 4), SignalChain.signal(.remove, "t9", at: 5)])
        let alice = SignalChain.alice.address
        let effects = chain.registry.signals(of: alice).map(\.effect)
        #expect(effects == [.added, .repeated, .added, .removed, .nothing])
        #expect(chain.registry.rows.map(\.token) == ["t2"])
        #expect(chain.registry.rows(of: alice, asOf: 1) == [])
        #expect(chain.registry.rows(of: alice, asOf: 2).map(\.token) == ["t1"])
        #expect(chain.registry.rows(of: alice, asOf: 3).map(\.token) == ["t1", "t2"])
        #expect(chain.registry.rows(of: alice, asOf: 4).map(\.token) == ["t2"])
        #expect(chain.registry.row(of: alice, token: "t2")?.height == 3)
        #expect(chain.registry.rows(of: SignalChain.bob.address) == [])
    }

    @Test("undoing a block gives back what it removed, in its old place")
    func undone() {
        var chain = SignalChain()
        chain.forge([SignalChain.signal(.add, "t1", at: 1), SignalChain.signal(.add, "t2", at: 2)])
        let before = chain.registry.rows
        chain.forge([
            SignalChain.signal(.remove, "t1", at: 3), SignalChain.signal(.add, "t3", at: 4),
            SignalChain.signal(.add, "t1", at: 5),
        ])
        #expect(chain.registry.rows.map(\.token) == ["t2", "t3", "t1"])
        chain.rollBack()
        #expect(chain.registry.rows == before)
        #expect(chain.registry.signals.count == 2)
        chain.rollBack()
        #expect(chain.registry.rows == [])
        #expect(chain.registry.signals(of: SignalChain.alice.address).isEmpty)
    }

    @Test("within a block the timestamp decides, not the place")
    func order() {
        var chain = SignalChain()
        chain.forge([SignalChain.signal(.add, "t1", at: 9), SignalChain.signal(.remove, "t1", at: 3)])
        #expect(chain.registry.rows.map(\.token) == ["t1"])
    }

    @Test("tells what the service can read, and what nobody sealed")
    func readings() {
        let registry = SignalRegistry(
            service: SignalChain.service.keyPair,
            address: SignalChain.service.address
        )
        func reading(_ message: String) -> ChainSignal.Reading {
            registry.reading(of: SignalChain.message(message), cryptography: SignalChain.cryptography)
        }
        #expect(reading("hello") == .plainText("hello"))
        #expect(reading(Hex.encode(Array("{\"token\":\"a\"}".utf8))) == .plainText("{\"token\":\"a\"}"))
        #expect(reading(String(repeating: "f0", count: 125)) == .unreadable)
        let sealed = SignalChain.signal(.add, "t1", at: 1)
        guard case .opened(let signal) = registry.reading(of: sealed, cryptography: SignalChain.cryptography)
        else { return #expect(Bool(false), "the key opens it") }
        #expect(signal.token == "t1")
    }

    @Test(
        "without a key the length tells",
        arguments: [
            (250, "add", "apns"), (256, "remove", "apns"), (266, "add", "apns-sandbox"),
            (272, "remove", "apns-sandbox"),
        ]
    )
    func lengths(digits: Int, action: String, provider: String) throws {
        let registry = SignalRegistry(service: nil, address: SignalChain.service.address)
        let message = SignalChain.message(String(repeating: "f0", count: digits / 2))
        guard case .sealed(let kind?) = registry.reading(of: message, cryptography: SignalChain.cryptography)
        else { return #expect(Bool(false), "it is sealed") }
        #expect(kind.action.rawValue == action)
        #expect(kind.provider == provider)
        // A real one of a 32-byte token has this length.
        let token = String(repeating: "a", count: 64)
        let signal = Signal(action: Signal.Action(rawValue: action), token: token, provider: provider)
        #expect((signal.plainText.utf8.count + 16) * 2 == digits)
        #expect(SignalKind(hexadecimalDigits: digits + 2) == nil || digits == 250)
        #expect(!registry.isReadable)
    }
}
