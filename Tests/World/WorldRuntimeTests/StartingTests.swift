import ControlServer
import HTTPClient
import JSONValue
import SimulatorDrivers
import TestSupport
import Testing
@testable import WorldRuntime

@Suite("World: starting")
struct StartingTests {
    @Test("a port in use is named, with the way out")
    func portInUse() throws {
        let running = try RunningWorld()
        let port = try #require(running.control.split(separator: ":").last.flatMap { UInt16($0) })
        var configuration = running.world.configuration
        configuration.ports = .base(port - 66)
        let error = #expect(throws: WorldError.self) {
            let world = try World(configuration)
            try world.start()
        }
        #expect(error?.exitCode == 2)
        #expect(error?.message == "port \(port) on 127.0.0.1 is in use; --port-base 0 takes free ports")
    }

    @Test(
        "a service has begun to read when its world is ready, so that no block comes too early",
        arguments: [WorldConfiguration.ANSBehaviour.asDeployed, .ordered]
    )
    func service(ans: WorldConfiguration.ANSBehaviour) throws {
        let running = try RunningWorld { $0.ans = ans }
        #expect(running.world.parties.ans?.awaitBegin(milliseconds: 0) == true)
        try running.post("/v1/ans/stop")
        try running.post("/v1/ans/start")
        #expect(running.world.parties.ans?.awaitBegin(milliseconds: 0) == true)
    }

    @Test("a base that leaves no room for the nodes is a usage error")
    func noRoom() throws {
        var configuration = WorldConfiguration()
        configuration.ports = .base(65_500)
        let error = #expect(throws: WorldError.self) { _ = try PortAssignment(configuration.ports, nodes: 2) }
        #expect(error?.exitCode == 64)
    }

    @Test("nodes speak TLS three ports above their plain one, where they do")
    func securePorts() throws {
        let standard = try PortAssignment(.standard, nodes: 2, withTLS: true)
        #expect(standard.secureNodes == [36_669, 36_679])
        #expect(try PortAssignment(.base(4000), nodes: 2, withTLS: true).secureNodes == [4069, 4079])
        #expect(try PortAssignment(.free, nodes: 2, withTLS: true).secureNodes == [0, 0])
        #expect(try PortAssignment(.standard, nodes: 2).secureNodes.isEmpty)
    }

    @Test("every call but health carries the token when listening beyond loopback")
    func controlToken() throws {
        let running = try RunningWorld { $0.listenHosts = ["0.0.0.0"] }
        let token = try #require(running.world.controlToken)
        #expect(token.utf8.count == 32)
        #expect(try running.call("GET", "/v1/health").status == 200)
        #expect(try running.call("GET", "/v1/world").status == 401)
        #expect(try running.call("GET", "/").status == 200, "the page tells nothing of the world")
        let bearer = [
            (name: "Authorization", value: "Bearer \(token)"), (name: "Host", value: "lab.example"),
        ]
        #expect(try running.call("GET", "/v1/world", headers: bearer).status == 200)
        #expect(try running.call("POST", "/v1/reset", [:], headers: bearer).status == 200)
        #expect(running.world.controlToken == token)
        #expect(!running.world.description.text.contains(token))
        #expect(try running.call("GET", running.node() + "/api/node/status").status == 200, "nodes stay open")
    }

    @Test("a token given is asked for on loopback as well")
    func givenToken() throws {
        let running = try RunningWorld { $0.controlToken = "s3cret" }
        #expect(try running.call("GET", "/v1/world").status == 401)
        #expect(
            try running.call("GET", "/v1/world", headers: [("Authorization", "Bearer s3cret")]).status == 200
        )
    }

    @Test("the signals of a foreign ANS cannot be read, and what would need to is refused")
    func foreignANS() throws {
        let running = try RunningWorld { $0.foreignANSAddress = "U777" }
        let ans = try #require(try running.get("/v1/world")["ans"])
        #expect(ans["address"] == "U777")
        #expect(ans["publicKey"] == .null)
        #expect(ans["passphrase"] == .null)
        #expect(try running.list("accounts", "/v1/accounts").allSatisfy { $0["name"] != "ans" })
        #expect(try running.call("GET", "/v1/registry").status == 409)
        #expect(try running.call("POST", "/v1/ans/start", [:]).status == 409)
        for match: JSONValue in [["token": .string(someToken())], ["signalAction": "add"]] {
            let answer = try running.call(
                "POST",
                "/v1/faults",
                ["target": "node", "match": match, "effect": ["kind": "reset"]]
            )
            #expect(answer.status == 422)
        }
        let device = try running.post("/v1/devices", ["owner": "alice"], status: 201)
        #expect(device["believesRegistered"] == false)
    }

    @Test("accounts of the configuration are granted what was given, and errors name the option")
    func accounts() throws {
        let phrase = "legal winner thank year wave sausage worth useful legal winner thank yellow"
        let running = try RunningWorld {
            $0.extraAccounts = [.init(passphrase: phrase, name: "extra", amountUnits: 42)]
            $0.ansPassphrase =
                "letter advice cage absurd amount doctor acoustic avoid letter advice cage above"
        }
        #expect(try running.balance("extra") == "42")
        #expect(try running.get("/v1/world")["ans"]?.text("passphrase").hasPrefix("letter advice") == true)
        let wrong: [(inout WorldConfiguration) -> Void] = [
            { $0.extraAccounts = [.init(passphrase: "no words", amountUnits: 1)] },
            { $0.extraAccounts = [.init(passphrase: phrase, name: "alice", amountUnits: 1)] },
            { $0.ansPassphrase = "no words" },
            { $0.foreignANSAddress = "X1" },
            {
                $0.foreignANSAddress = "U1"
                $0.ansPassphrase = phrase
            },
            { $0.nodeVersions = ["two"] },
        ]
        for change in wrong {
            var configuration = running.world.configuration
            change(&configuration)
            let error = #expect(throws: WorldError.self) { _ = try World(configuration) }
            #expect(error?.exitCode == 64)
            #expect(error?.message.hasPrefix("--") == true)
        }
    }

    @Test("stopping closes every port")
    func stops() throws {
        let running = try RunningWorld()
        let urls = [running.control + "/v1/health", running.node() + "/api/node/status"]
        for url in urls { #expect(try running.call("GET", url).status == 200) }
        running.world.stop()
        for url in urls {
            #expect(throws: HTTPClientError.connectionRefused) { _ = try running.call("GET", url) }
        }
        #expect(throws: HTTPClientError.self) { _ = try running.push(someToken()) }
    }

    @Test("the page at / and its files come with their types, a tag and a strict policy")
    func page() throws {
        let running = try RunningWorld()
        let types = [
            "": "text/html; charset=utf-8", "assets/app.js": "text/javascript; charset=utf-8",
            "assets/style.css": "text/css; charset=utf-8", "assets/icon.svg": "image/svg+xml",
        ]
        for (path, type) in types {
            let file = try running.call("GET", "/" + path)
            #expect(file.status == 200)
            let fields = Dictionary(file.headers.map { ($0.name.lowercased(), $0.value) }) { first, _ in first
            }
            #expect(fields["content-type"] == type)
            let policy = try #require(fields["content-security-policy"])
            #expect(policy.hasPrefix("default-src 'none'; script-src 'self'; "))
            #expect(!policy.contains("unsafe") && !policy.contains("*"))
            let tag = try #require(fields["etag"])
            let again = try running.call("GET", "/" + path, headers: [(name: "If-None-Match", value: tag)])
            #expect(again.status == 304 && again.text.isEmpty)
        }
        #expect(try running.call("GET", "/assets/none.js").status == 404)
    }

    @Test("the OpenAPI document has every call with its parameters and members, and no other")
    func openAPI() throws {
        let running = try RunningWorld()
        let paths = try #require(running.get("/openapi.json")["paths"]?.objectValue)
        var described: [String: JSONValue] = [:]
        for path in paths.members {
            for method in path.value.objectValue?.members ?? [] {
                described["\(method.key.uppercased()) \(path.key)"] = method.value
            }
        }
        let routes = running.world.controlRoutes
        let advice: Comment = "scripts/openapi writes it"
        #expect(described.keys.sorted() == routes.map { "\($0.method) \($0.pattern)" }.sorted(), advice)
        for route in routes where route.pattern.hasPrefix("/v1/") {
            let call = try #require(described["\(route.method) \(route.pattern)"])
            let parameters = (call["parameters"]?.arrayValue ?? []).filter { $0["in"] == "query" }
            #expect(parameters.map { $0.text("name") } == route.parameters, advice)
            guard let members = route.members, !route.takesText else { continue }
            let schema = call["requestBody"]?["content"]?["application/json"]?["schema"]
            #expect(Set(schema?["properties"]?.objectValue?.keys ?? []) == Set(members), advice)
        }
    }

    @Test("the documentation names every call, and no other")
    func documentation() throws {
        let running = try RunningWorld()
        let text = String(
            decoding: try Fixture.bytes("../Docs/control-api.md"),
            as: UTF8.self
        )
        let documented = Set(
            text.matches(of: /(?m)^### `(GET|POST|PUT|PATCH|DELETE) ([^`]+)`$/).map { "\($0.1) \($0.2)" }
        )
        let served = Set(running.world.controlRoutes.map { "\($0.method) \($0.pattern)" })
        #expect(served.subtracting(documented).sorted() == [])
        #expect(documented.subtracting(served).sorted() == [])
        for route in running.world.controlRoutes {
            for name in (route.members ?? []) + route.parameters {
                let isNamed = text.contains("`\(name)`") || text.contains("\"\(name)\"")
                #expect(isNamed, "\(route.method) \(route.pattern): \(name)")
            }
        }
    }
}
