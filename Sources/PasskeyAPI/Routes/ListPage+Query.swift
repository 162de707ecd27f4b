import HTTP
import PlatformKit

// How the API asks for a part of a list. Clients count pages from 1.
extension ListPage {
    /// Entries that a page can have; more are not given.
    private static let maxSize = 1000

    /// Of `page` and `per_page`; what is below 1 counts as not given.
    ///
    /// - Throws: ``PasskeyAPIRefusal/bodyUnreadable(_:)``.
    init(of query: Form) throws {
        let number = try Self.number("page", in: query) ?? 1
        self.init(
            number: number - 1, size: min(try Self.number("per_page", in: query) ?? 20, Self.maxSize))
    }

    private static func number(_ name: String, in query: Form) throws -> Int? {
        guard let text = query[name], !text.isEmpty else { return nil }
        guard let number = Int(text), number <= numbers.upperBound else {
            throw PasskeyAPIRefusal.bodyUnreadable(
                "“\(name)” should be a whole number, found “\(text.prefix(40))”")
        }
        return number < 1 ? nil : number
    }
}
