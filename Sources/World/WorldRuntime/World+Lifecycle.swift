import APNsRules
import APNsServer
import ControlServer
import HTTPDaemon
import JSONValue
import NodeServer
import NodeSockets
import Polling
import WebSockets
import TLSListener
import OpenSSLCrypto
import Recording
import Synchronization

extension World {
    /// Starts everything; every port answers when it returns.
    ///
    /// - Throws: ``WorldError``, for one when a port is in use; nothing listens then.
    public func start() throws(WorldError) {
        do throws(WorldError) {
            let ports = try PortAssignment(
                configuration.ports,
                nodes: configuration.nodeCount,
                withTLS: configuration.nodeTLS
            )
            try listenForNodes(ports)
            try listenForAPNs(ports)
            if isFirst { try listenForControl(ports) }
            try listenForTripwires()
            try startAuditing()
            try startParties()
            try startForging()
            relayWhatWaits()
            listeners.withLock { $0.isReady = true }
        } catch {
            stop()
            throw error
        }
    }

    /// Stops everything in the reverse order, and writes what is not yet on disk.
    public func stop() {
        if isFirst { for world in worlds.close() { world.stop() } }
        forger.stop()
        parties.end(forGood: true)
        auditor.close()
        let (apns, loop, all) = listeners.withLock { listeners in
            defer {
                listeners.isReady = false
                listeners.apns = nil
                listeners.control = []
                listeners.nodes = []
                listeners.nodeSockets = []
                listeners.sockets = []
                listeners.socketLoop = nil
                listeners.tripwires = []
            }
            let tripwires = listeners.tripwires
            let nodes = (listeners.nodes + listeners.nodeSockets).flatMap(\.self)
            return (listeners.apns, listeners.socketLoop, listeners.control + nodes + tripwires)
        }
        // Before their ports, so that sockets are told goodbye.
        loop?.stop()
        for listener in all { listener.stop() }
        apns?.stop()
        if isFirst { daemon.stop() }
        waiters.stop()
        pushWriter.close()
        log?.close()
    }

    private func listenForNodes(_ ports: PortAssignment) throws(WorldError) {
        if configuration.nodeTLS { try useTLS() }
        let loop: WebSocketLoop
        do throws(PollingError) {
            loop = try WebSocketLoop(name: "sockets")
        } catch {
            throw WorldError("sockets cannot be served: \(error)")
        }
        listeners.withLock { $0.socketLoop = loop }
        for (index, port) in ports.nodes.enumerated() {
            let node = NodeServer(backend: self, node: index)
            let sockets = SocketServer(
                backend: self,
                node: index,
                name: nodeNames[index],
                loop: loop,
                daemon: daemon
            )
            let handle: @Sendable (HTTPRequest) -> HTTPAction = { request in
                sockets.isResponsible(for: request) ? sockets.handle(request) : node.handle(request)
            }
            let (bound, opened) = try listen(port: port, handler: handle)
            listeners.withLock { listeners in
                listeners.sockets.append(sockets)
                listeners.nodes.append(opened)
                listeners.nodePorts.append(bound)
            }
            let (socketPort, openedForSockets) = try listen(port: ports.sockets[index]) { sockets.handle($0) }
            listeners.withLock { listeners in
                listeners.nodeSockets.append(openedForSockets)
                listeners.socketPorts.append(socketPort)
            }
            withState { state, _ in state.nodes[index].socketPort = Int(socketPort) }
            refreshServerView()
            guard ports.secureNodes.indices.contains(index) else { continue }
            let (secure, more) = try listen(port: ports.secureNodes[index], isSecure: true, handler: handle)
            listeners.withLock { listeners in
                listeners.nodes[index] += more
                listeners.secureNodePorts.append(secure)
            }
        }
    }

    /// Lets the nodes show the certificate that APNs shows.
    private func useTLS() throws(WorldError) {
        let identity = try serverIdentity
        do throws(HTTPDaemonError) {
            try daemon.useTLS(
                TLSIdentity(certificatePEM: identity.certificatePEM, keyPEM: identity.keyPEM)
            )
        } catch {
            throw WorldError("--node-tls: \(error)")
        }
    }

    private func listenForControl(_ ports: PortAssignment) throws(WorldError) {
        let server = controlServer
        let (bound, opened) = try listen(port: ports.control) { [worlds] request in
            worlds.handle(request) ?? server.handle(request)
        }
        listeners.withLock { listeners in
            listeners.control = opened
            listeners.controlPort = bound
        }
        worlds.open(FurtherWorlds.Common(control: controlURL, base: furtherBase))
    }

    /// The control API of this world alone.
    var controlServer: ControlServer {
        ControlServer(
            routes: controlRoutes,
            token: settings.controlToken,
            waiters: waiters,
            daemon: daemon,
            afterDurable: { [weak self] action in self?.afterDurable(action) }
        )
    }

    /// What all worlds of this process have in common.
    private var furtherBase: WorldConfiguration {
        var base = WorldConfiguration()
        base.ports = .free
        base.listenHosts = configuration.listenHosts
        base.tlsNames = configuration.tlsNames
        base.controlToken = settings.controlToken
        base.stateDirectory = StateFolder.path(of: configuration)
        base.pushBounds = configuration.pushBounds
        return base
    }

    private var serverIdentity: CertificateAuthority.ServerIdentity {
        get throws(WorldError) {
            try worlds.identity { () throws(WorldError) in
                try settings.certificates.serverIdentity(now: machineNow)
            }
        }
    }

    private func listenForTripwires() throws(WorldError) {
        for port in configuration.tripwirePorts {
            let opened: [HTTPListener]
            do throws(WorldError) {
                opened = try open(port: port) { host, port throws(HTTPDaemonError) in
                    try daemon.listenForCallers(host: host, port: port) { [auditor] client, port in
                        auditor.noteCaller(client, port: port)
                    }
                }.1
            } catch {
                // Of a further world the caller chose the port.
                throw WorldError("--tripwire: \(error.message)", exitCode: isFirst ? error.exitCode : 64)
            }
            listeners.withLock { $0.tripwires += opened }
        }
    }

    private func listenForAPNs(_ ports: PortAssignment) throws(WorldError) {
        let identity = try serverIdentity
        let server: APNsServer
        do throws(TLSListenerError) {
            server = try APNsServer(
                backend: self,
                certificatePEM: identity.certificatePEM,
                keyPEM: identity.keyPEM,
                authorityPEM: settings.certificates.authorityPEM
            )
        } catch {
            throw WorldError("APNs cannot be started: \(error)")
        }
        listeners.withLock { $0.apns = server }
        let production = try openAPNs(server, port: ports.apnsProduction, environment: .production)
        let sandbox = try openAPNs(server, port: ports.apnsSandbox, environment: .sandbox)
        if let further = configuration.furtherAPNsPort {
            _ = try openAPNs(server, port: further, environment: .production)
        }
        let proxy: UInt16?
        if let port = configuration.proxyPort {
            proxy = try openAPNs(server, port: port, environment: .production, isProxy: true)
        } else {
            proxy = nil
        }
        listeners.withLock { listeners in
            listeners.apnsProductionPort = production
            listeners.apnsSandboxPort = sandbox
            listeners.proxyPort = proxy
        }
    }

    private func openAPNs(
        _ server: APNsServer,
        port: UInt16,
        environment: APNsEnvironment,
        isProxy: Bool = false
    ) throws(WorldError) -> UInt16 {
        var bound = port
        for (index, host) in listenHosts.enumerated() {
            do throws(TLSListenerError) {
                bound = try server.listen(
                    host: host,
                    port: bound,
                    environment: environment,
                    isProxy: isProxy
                )
            } catch {
                let isInUse = error.code == .portInUse
                if index > 0, Self.isOptional(host), !isInUse || port == 0 { continue }
                throw isInUse
                    ? Self.inUse(bound, host: host)
                    : WorldError("cannot listen on \(host) port \(bound): \(error)")
            }
        }
        return bound
    }

    /// Opens a port on every host listened at; a free port is taken on the first and asked for on the others.
    private func listen(
        port: UInt16,
        isSecure: Bool = false,
        handler: @escaping @Sendable (HTTPRequest) -> HTTPAction
    ) throws(WorldError) -> (UInt16, [HTTPListener]) {
        try open(port: port) { host, port throws(HTTPDaemonError) in
            try daemon.listen(host: host, port: port, isSecure: isSecure, handler: handler)
        }
    }

    private func open(
        port: UInt16,
        _ listen: (String, UInt16) throws(HTTPDaemonError) -> HTTPListener
    ) throws(WorldError) -> (UInt16, [HTTPListener]) {
        var opened: [HTTPListener] = []
        var bound = port
        for (index, host) in listenHosts.enumerated() {
            do throws(HTTPDaemonError) {
                let listener = try listen(host, bound)
                bound = listener.port
                opened.append(listener)
            } catch {
                if index > 0, Self.isOptional(host), error != .portInUse(bound) || port == 0 { continue }
                for listener in opened { listener.stop() }
                throw error == .portInUse(bound)
                    ? Self.inUse(bound, host: host)
                    : WorldError("cannot listen on \(host) port \(bound): \(error)")
            }
        }
        return (bound, opened)
    }

    /// The addresses to bind: `localhost` is 127.0.0.1 and, where there is one, ::1.
    private var listenHosts: [String] {
        configuration.listenHosts.flatMap { $0 == "localhost" ? ["127.0.0.1", "::1"] : [$0] }
    }

    /// Whether the machine may do without this address; where it has it, a port taken there is as bad as elsewhere,
    /// since `localhost` would lead to a stranger.
    private static func isOptional(_ host: String) -> Bool { host == "::1" }

    private static func inUse(_ port: UInt16, host: String) -> WorldError {
        WorldError("port \(port) on \(host) is in use; --port-base 0 takes free ports")
    }
}
