import HTTPDaemon
import Testing

@Suite("HTTP daemon: content codings, tags and targets")
struct CodingTests {
    @Test(
        "chooses what the client accepts, gzip first",
        arguments: [
            ("gzip", ContentCoding.gzip), ("GZIP", .gzip), ("deflate, gzip", .gzip), ("deflate", .deflate),
            ("gzip;q=0, deflate;q=0.1", .deflate), ("*;q=0.5", .gzip), ("gzip;q=0.0, *", .deflate),
            ("br", nil), ("", nil), (" , ;", nil), ("gzip; q=0", nil),
        ] as [(String, ContentCoding?)]
    )
    func negotiation(field: String, coding: ContentCoding?) {
        #expect(ContentCoding(accepted: field) == coding)
    }

    @Test("gives back what it packed, and refuses what is too large or cut short")
    func unpacking() throws {
        for coding in [ContentCoding.gzip, .deflate] {
            for size in [0, 1, 1000, 200_000] {
                let bytes = (0..<size).map { UInt8(truncatingIfNeeded: $0 / 7) }
                let packed = try #require(coding.encode(bytes))
                #expect(coding.decode(packed, maximumBytes: size) == .bytes(bytes))
                if size > 0 {
                    #expect(coding.decode(packed, maximumBytes: size - 1) == .tooLarge)
                    #expect(coding.decode(packed.dropLast(1) + [], maximumBytes: size + 1) == .malformed)
                }
            }
            #expect(coding.decode([1, 2, 3], maximumBytes: 10) == .malformed)
        }
    }

    @Test("tags differ with any byte and have Express's form")
    func tags() {
        let body = [UInt8](repeating: 7, count: 1000)
        let tag = EntityTag.weak(body)
        #expect(tag.wholeMatch(of: /W\/"3e8-[A-Za-z0-9+\/]{27}"/) != nil)
        #expect(EntityTag.weak(body) == tag)
        var others: Set<String> = [tag, EntityTag.weak(body + [7]), EntityTag.weak([])]
        for index in body.indices {
            var other = body
            other[index] ^= 1
            others.insert(EntityTag.weak(other))
        }
        #expect(others.count == 1003)
    }

    @Test("finds a tag in a list, weak or strong, and everything in *")
    func tagLists() {
        let tag = "W/\"a-b\""
        for field in ["W/\"a-b\"", "\"a-b\"", "\"x\", W/\"a-b\"", " * "] {
            #expect(EntityTag.list(field, contains: tag), "\(field)")
        }
        for field in ["", "\"x\"", "a-b", "W/\"a-c\""] {
            #expect(!EntityTag.list(field, contains: tag), "\(field)")
        }
    }

    @Test(
        "takes targets apart",
        arguments: [
            ("/a/b?c=d?e", "/a/b", "c=d?e"), ("/a%2Fb%zz%4", "/a/b%zz%4", ""), ("/?", "/", ""),
            ("http://host:1/x?y", "/x", "y"), ("https://host?y", "/", "y"), ("http://host", "/", ""),
            ("*", "*", ""), ("", "", ""), ("/%", "/%", ""),
        ]
    )
    func targets(target: String, path: String, query: String) {
        let request = HTTPRequest(method: "GET", target: target, headers: [("A-b", "1"), ("a-B", "2")])
        #expect(request.path == path)
        #expect(request.query == query)
        #expect(request.header("A-B") == "1")
    }
}
