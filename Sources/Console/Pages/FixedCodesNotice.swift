import HTTP
import PlatformKit

/// Says of a world which codes its fixtures fix; nothing where they fix none.
struct FixedCodesNotice {
    let base: String
    let codes: FixedCodes

    /// More are in the fixtures.
    private static let limit = 5

    var html: HTML {
        let shown = codes.all.prefix(Self.limit)
        guard !shown.isEmpty else { return "" }
        let more = codes.all.count - shown.count
        let rest: HTML = more > 0 ? "and \(more) more. " : ""
        return """
            <p class="caution fixed-codes" role="note">Fixed codes, which whoever knows them can sign in with: \
            \(shown.map { "<code>\($0.address)</code> always receives <code>\($0.code)</code>. " as HTML })\(rest)\
            \(explanation)</p>
            """
    }

    /// Says of one code that was sent that it is a fixed one; nothing of any other.
    func mark(_ code: String, to address: String) -> HTML {
        guard codes.code(for: address) == code else { return .none }
        return """
            <p class="caution fixed-codes" role="note">A fixed code: the fixtures always send <code>\(address)</code> this one. \(explanation)</p>
            """
    }

    private var explanation: HTML { "<a href=\"\(base)/docs/fixtures#fixed-codes\">What this is</a>" }
}
