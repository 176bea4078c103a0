import ControlServer
import JSONValue

extension World {
    var fixtureRoutes: [ControlRoute] {
        [
            ControlRoute("POST", "/v1/fixtures/registry", members: RegistryFixtureForm.members) {
                [self] request throws(ControlError) in
                let form = try RegistryFixtureForm(request.body, worldSeed: seed)
                return .background { [self] () throws(ControlError) in .json(try load(form), status: 201) }
            },
            ControlRoute("POST", "/v1/fixtures/accounts", members: AccountsFixtureForm.members) {
                [self] request throws(ControlError) in
                let form = try AccountsFixtureForm(request.body, worldSeed: seed)
                return .background { [self] () throws(ControlError) in .json(try load(form), status: 201) }
            },
        ]
    }
}
