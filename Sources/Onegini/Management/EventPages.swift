import Essentials
import PlatformKit

/// The object `pagination` of the events API.
///
/// Source: Token Server documentation, events API, whose example has 5 visible pages of which 2 stand before the present one, and
/// none at all when there is one page. How the window moves is assumed.
struct EventPages: Sendable {
    private static let maxVisible = 5
    private static let pagesBefore = 2

    let total: Int
    let page: ListPage

    private var count: Int { page.count(of: total) }
    private var isFirst: Bool { page.number == 0 }
    private var isLast: Bool { page.number >= count - 1 }

    var json: JSONValue {
        let (start, size) = (page.offset, page.size)
        return [
            "total_results": .integer(total),
            "offset": .integer(start),
            "page_size": .integer(size),
            "max_visible": .integer(Self.maxVisible),
            "pages_before": .integer(Self.pagesBefore),
            "range_start": .integer(start < total ? start + 1 : 0),
            "range_end": .integer(start < total ? min(start + size, total) : 0),
            "first_page": .boolean(isFirst),
            "last_page": .boolean(isLast),
            "number_of_pages": .integer(count),
            "previous_page": isFirst ? .null : .integer(page.number - 1),
            "next_page": isLast ? .null : .integer(page.number.adding(1)),
            "visible_pages": .array(visible.map(JSONValue.integer)),
        ]
    }

    private var visible: [Int] {
        guard count > 1 else { return [] }
        let last = min(count - 1, max(page.number - Self.pagesBefore, 0) + Self.maxVisible - 1)
        return Array(max(last - Self.maxVisible + 1, 0)...last)
    }
}
