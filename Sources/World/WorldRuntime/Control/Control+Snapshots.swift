import ControlServer
import JSONValue

extension World {
    var snapshotRoutes: [ControlRoute] {
        [
            ControlRoute("GET", "/v1/chain/snapshots") { [self] _ throws(ControlError) in
                let snapshots = withState { state, _ in state.snapshots.all.map(\.json) }
                return .json(["snapshots": .array(snapshots)])
            },
            ControlRoute("POST", "/v1/chain/snapshots", members: ["name"]) {
                [self] request throws(ControlError) in
                .json(try takeSnapshot(name: try request.body.string("name")), status: 201)
            },
            ControlRoute("DELETE", "/v1/chain/snapshots/{id}") { [self] request throws(ControlError) in
                try removeSnapshot(request.parameter("id"))
                return .empty
            },
            ControlRoute("POST", "/v1/chain/snapshots/{id}/revert") { [self] request throws(ControlError) in
                let id = request.parameter("id")
                return .background { [self] () throws(ControlError) in .json(try revert(to: id)) }
            },
            ControlRoute("GET", "/v1/export") { [self] _ throws(ControlError) in
                let export = export()
                return .download(fileName: "world.mocknet") { send in
                    export.write(sha256: WorldStorage.sha256, send)
                }
            },
        ]
    }
}
