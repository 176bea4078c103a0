import Testing

@testable import Polling

@Suite("Backlog")
struct BacklogTests {
    /// Takes so many bytes off the front.
    private func take(_ count: Int, of backlog: inout Backlog) -> [UInt8] {
        let taken = Array(backlog.bytes.suffix(backlog.count).prefix(count))
        backlog.drop(taken.count)
        return taken
    }

    @Test("gives the bytes in the order in which they came, however much is taken at a time")
    func order() {
        var backlog = Backlog([1, 2])
        backlog.append([3, 4])
        let answer = backlog.append { bytes in
            bytes.append(5)
            return 7
        }
        #expect(answer == 7 && backlog.count == 5)
        let first = take(3, of: &backlog)
        #expect(first == [1, 2, 3] && backlog.count == 2 && !backlog.isEmpty)
        backlog.append([6])
        let rest = take(9, of: &backlog)
        #expect(rest == [4, 5, 6] && backlog.count == 0 && backlog.isEmpty)
        backlog.append([7])
        let last = take(1, of: &backlog)
        #expect(last == [7])
    }

    @Test("does not keep what was taken, though there is always a little more to take")
    func bound() {
        let piece = (0..<100_000).map { UInt8(truncatingIfNeeded: $0) }
        var backlog = Backlog(piece)
        for _ in 0..<100 {
            backlog.append(piece)
            let taken = take(piece.count, of: &backlog)
            #expect(taken == piece && backlog.count == piece.count)
            #expect(backlog.bytes.count <= Backlog.maximumTaken + 2 * piece.count)
        }
    }
}
