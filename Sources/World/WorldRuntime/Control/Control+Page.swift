import ControlServer
import JSONValue

extension World {
    /// The plain page of the world's addresses, until there is a dashboard.
    var pageRoutes: [ControlRoute] {
        [
            ControlRoute("GET", "/") { [self] _ throws(ControlError) in
                .text(AddressPage(world: worldJSON).html, contentType: "text/html; charset=utf-8")
            },
            ControlRoute("GET", "/style.css", isOpen: true) { _ throws(ControlError) in
                .text(AddressPage.style, contentType: "text/css; charset=utf-8")
            },
        ]
    }
}

/// A page that lists what a world's description holds; everything shown is escaped.
struct AddressPage {
    let world: JSONValue

    var html: String {
        """
        <!doctype html>
        <html lang="en">
        <meta charset="utf-8">
        <meta name="viewport" content="width=device-width, initial-scale=1">
        <title>mocknet</title>
        <link rel="stylesheet" href="/style.css">
        <main>
        <h1>mocknet</h1>
        <p>Seed \(text(world["seed"])), height \(text(world["height"])).</p>
        <h2>Addresses</h2>
        <table>
        \(addressRows)
        </table>
        <h2>Accounts</h2>
        <table>
        <tr><th>name</th><th>address</th><th>balance in 1e-8 ADM</th><th>passphrase</th></tr>
        \(accountRows)
        </table>
        </main>
        </html>

        """
    }

    static let style = """
        :root { color-scheme: light dark; font: 15px/1.5 system-ui, sans-serif; }
        body { margin: 0; }
        main { max-width: 70rem; margin: 0 auto; padding: 1.5rem; }
        h1 { margin: 0; }
        h2 { margin: 1.5rem 0 .5rem; font-size: 1.1rem; }
        table { border-collapse: collapse; width: 100%; }
        th, td { text-align: left; padding: .25rem .75rem .25rem 0; border-bottom: 1px solid #8884; vertical-align: top; }
        td { overflow-wrap: anywhere; font-family: ui-monospace, monospace; font-size: .9em; }

        """

    private var addressRows: String {
        var rows = (world["nodes"]?.arrayValue ?? []).map {
            row(["node " + text($0["name"]) + " (" + text($0["version"]) + ")", text($0["url"])])
        }
        rows.append(row(["APNs production", text(world["apns"]?["production"])]))
        rows.append(row(["APNs sandbox", text(world["apns"]?["sandbox"])]))
        rows.append(row(["control API", text(world["control"])]))
        rows.append(row(["certificate authority", text(world["caFile"])]))
        rows.append(row(["ANS account", text(world["ans"]?["address"])]))
        return rows.joined(separator: "\n")
    }

    private var accountRows: String {
        (world["accounts"]?.arrayValue ?? []).map {
            row([text($0["name"]), text($0["address"]), text($0["balance"]), text($0["passphrase"])])
        }.joined(separator: "\n")
    }

    private func row(_ cells: [String]) -> String {
        "<tr>" + cells.map { "<td>\($0)</td>" }.joined() + "</tr>"
    }

    private func text(_ value: JSONValue?) -> String {
        let plain = value?.stringValue ?? (value.map { $0.isNull ? "" : $0.text } ?? "")
        return plain.reduce(into: "") { escaped, character in
            switch character {
            case "&": escaped += "&amp;"
            case "<": escaped += "&lt;"
            case ">": escaped += "&gt;"
            case "\"": escaped += "&quot;"
            case "'": escaped += "&#39;"
            default: escaped.append(character)
            }
        }
    }
}
