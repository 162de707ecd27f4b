import HTTP
import PlatformKit

// How the admin API asks for a part of a list. Clients count pages from 1.
extension ListPage {
    /// Entries that a page can have; more are not given. Ours: the original gives any number.
    private static let maxSize = 1000

    /// Of `page` and `per_page`; 0 counts as not given.
    ///
    /// - Throws: ``AdminRefusal/queryWrong(_:)``.
    init(admin query: Form) throws {
        let number = try Self.number("page", in: query) ?? 1
        self.init(
            number: number - 1, size: min(try Self.number("per_page", in: query) ?? 20, Self.maxSize))
    }

    private static func number(_ name: String, in query: Form) throws -> Int? {
        guard let text = query[name], !text.isEmpty else { return nil }
        guard let number = Int(text), numbers ~= number else {
            throw AdminRefusal.queryWrong(
                "Expected a whole number from 0 on in “\(name)”, found “\(text.prefix(60))”.")
        }
        return number == 0 ? nil : number
    }
}
