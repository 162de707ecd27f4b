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
            <a href="\(base)/docs/fixtures#fixed-codes">What this is</a></p>
            """
    }
}
