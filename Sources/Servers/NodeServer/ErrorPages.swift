/// HTML that nodes and what stands before them answer with.
enum ErrorPages {
    /// Express's page for a path nobody answers.
    ///
    /// - Source: finalhandler
    static func cannot(_ method: String, _ path: String) -> [UInt8] {
        let message = escaped("Cannot \(method) \(path)")
        let page =
            "<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n<title>Error</title>\n</head>\n"
            + "<body>\n<pre>\(message)</pre>\n</body>\n</html>\n"
        return Array(page.utf8)
    }

    /// The page of a proxy whose node does not answer.
    static let serviceUnavailable = Array(
        ("<html>\r\n<head><title>503 Service Temporarily Unavailable</title></head>\r\n<body>\r\n"
            + "<center><h1>503 Service Temporarily Unavailable</h1></center>\r\n<hr><center>nginx</center>\r\n"
            + "</body>\r\n</html>\r\n").utf8
    )

    private static func escaped(_ text: String) -> String {
        var output = ""
        for character in text {
            switch character {
            case "&": output += "&amp;"
            case "<": output += "&lt;"
            case ">": output += "&gt;"
            case "\"": output += "&quot;"
            case "'": output += "&#39;"
            default: output.append(character)
            }
        }
        return output
    }
}
