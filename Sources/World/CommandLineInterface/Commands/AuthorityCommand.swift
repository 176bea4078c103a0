import Files
import WorldRuntime

/// `mocknet ca`: the certificate authority of this machine's worlds.
enum AuthorityCommand {
    static let command = Command(
        "ca",
        "prints the certificate authority that clients have to trust, and how",
        options: [
            OptionSpec("--path", help: "prints the path of the file alone"),
            OptionSpec("--data", "DIR", help: "of the world that is kept in this folder"),
            OptionSpec(
                "--state-dir",
                "DIR",
                help: "of the worlds started with this folder",
                default: "the user's"
            ),
        ],
        examples: [
            ("mocknet ca > ca.pem", "the certificate; how to trust it goes to standard error"),
            ("curl --cacert \"$(mocknet ca --path)\" …", "for programs that take a file"),
        ],
        run: run
    )

    private static func run(_ context: CommandContext) throws(CommandFailure) -> Int32 {
        var configuration = WorldConfiguration()
        let data = context.arguments["--data"] ?? context.environment("MOCKNET_DATA")
        let state = context.arguments["--state-dir"] ?? context.environment("MOCKNET_STATE_DIR")
        configuration.dataDirectory = data.flatMap { $0.isEmpty ? nil : $0 }
        configuration.stateDirectory = state.flatMap { $0.isEmpty ? nil : $0 }
        let path: String
        let certificate: [UInt8]
        do throws(WorldError) {
            path = try LocalAuthority.file(of: configuration)
        } catch {
            throw CommandFailure(message: error.message, exitCode: error.exitCode)
        }
        do throws(FileError) {
            certificate = try Files.read(path)
        } catch {
            throw CommandFailure(message: "\(error)", exitCode: ExitCode.world)
        }
        guard !context.arguments.has("--path") else {
            context.print(path)
            return ExitCode.success
        }
        context.output(String(decoding: certificate, as: UTF8.self))
        context.error(howToTrust(path))
        return ExitCode.success
    }

    /// How each platform is told to trust a file.
    static func howToTrust(_ path: String) -> String {
        """

        How to trust it (the file is \(path)):
          Debian, Ubuntu   sudo cp \(path) /usr/local/share/ca-certificates/mocknet.crt && sudo update-ca-certificates
          macOS            sudo security add-trusted-cert -d -r trustRoot -k /Library/Keychains/System.keychain \(path)
          iOS Simulator    xcrun simctl keychain booted add-root-cert \(path)
          .NET container   as Debian in the image, or SSL_CERT_FILE=\(path)
          node             NODE_EXTRA_CA_CERTS=\(path)
          Java             keytool -importcert -noprompt -cacerts -storepass changeit -alias mocknet -file \(path)
          curl, Python     curl --cacert \(path) …; SSL_CERT_FILE=\(path) python3 …

        """
    }
}
