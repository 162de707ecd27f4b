import Essentials
import HTTP
import PlatformKit

extension Journal.Query {
    /// The filters that the journal's list and stream share.
    init(_ parameters: Parameters) throws {
        self.init()
        platform = parameters.text("platform")
        path = parameters.text("path").map(TextSearch.init(exactly:))
        correlation = parameters.text("correlation")
        text = try parameters.search("q")
        user = parameters.text("user")
        isRefused = try parameters.flag("refused")
        if let text = parameters.text("kind") {
            guard let kind = JournalEntry.Kind(rawValue: text) else {
                throw ControlError.parameter(
                    "kind", expected: "“request” or “event”", given: "“\(text)”")
            }
            self.kind = kind
        }
        if let text = parameters.text("status") {
            guard setStatus(text) else {
                throw ControlError.parameter(
                    "status", expected: "a status such as 404, or a class such as 4xx", given: "“\(text)”")
            }
        }
    }

    /// - Parameter text: `404` or `4xx`.
    /// - Returns: false when it is neither.
    mutating func setStatus(_ text: String) -> Bool {
        guard text.wholeMatch(of: /[1-5]([0-9]{2}|xx)/) != nil,
            let first = text.first.flatMap({ Int(String($0)) })
        else { return false }
        if text.hasSuffix("xx") {
            statuses = first * 100...first * 100 + 99
        } else {
            status = Int(text)
        }
        return true
    }
}
