import JSONValue
import ScenarioModel

/// Aligned columns for people.
enum TextTable {
    /// A heading and rows; the last column is not filled up.
    static func text(_ heading: [String], _ rows: [[String]], indentation: String = "") -> String {
        let all = [heading] + rows
        let widths = heading.indices.map { column in
            all.map { column < $0.count ? $0[column].count : 0 }.max() ?? 0
        }
        return all.map { row in
            let cells = row.enumerated().map { column, cell in
                column + 1 < row.count ? padded(cell, to: widths[column]) : cell
            }
            return indentation + cells.joined(separator: "  ")
        }
        .joined(separator: "\n")
    }

    /// A member of an object for people: texts as they are, `-` for nothing.
    static func cell(_ object: JSONValue, _ key: String) -> String {
        guard let value = object[key], !value.isNull else { return "-" }
        switch value {
        case .string(let text): return text.isEmpty ? "-" : text
        case .bool(let isTrue): return isTrue ? "yes" : "no"
        default: return value.text
        }
    }

    /// An amount of units in a member, as ADM.
    static func adm(_ object: JSONValue, _ key: String) -> String {
        guard let units = object[key]?.stringValue.flatMap(UInt64.init) else { return cell(object, key) }
        return Quantity.adm(units) + " ADM"
    }

    /// The beginning of a token, which is enough to tell it from others.
    static func short(_ text: String) -> String {
        text.count > 12 ? text.prefix(8) + "…" : text
    }
}
