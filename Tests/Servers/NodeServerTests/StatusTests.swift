import JSONValue
import Testing

@Suite("Node: status and height")
struct StatusTests {
    @Test("tells what 0.9 tells, in its order")
    func old() throws {
        let world = try TestWorld()
        print(try world.body("/api/node/status"), try world.body("/api/blocks/getHeight"))
        let x = try world.send(.get("/api/accounts?address=U9764661521592110710"))
        print(x)
        print(
            try world.bodies([
                "/api/transactions", "/api/transactions?limit=2&returnAsset=1", "/api/chats/get",
                "/api/nothing", "/api/chats/foo", "/foo",
            ])
        )
    }
}
