import ControlServer

extension World {
    /// The table of the control API.
    var controlRoutes: [ControlRoute] {
        worldRoutes + furtherWorldRoutes + accountRoutes + transactionRoutes + chainRoutes + blockRoutes
            + snapshotRoutes
            + clockRoutes
            + nodeRoutes + faultRoutes
            + requestRoutes + pushRoutes + apnsRoutes + ansRoutes + testPushRoutes + deviceRoutes
            + fixtureRoutes + traceRoutes + auditRoutes + eventRoutes + metricsRoutes + scenarioRoutes
            + pageRoutes
    }
}
