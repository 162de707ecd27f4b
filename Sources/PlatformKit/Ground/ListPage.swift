/// Which part of a long list a client asks for.
package struct ListPage: Sendable, Equatable {
    /// The furthest page that can be asked for; beyond it a product of two members might not be a number.
    package static let numbers = 0...1_000_000_000

    /// Counted from 0.
    package let number: Int
    /// How many entries a page has at most.
    package let size: Int

    package init(number: Int = 0, size: Int) { (self.number, self.size) = (number, size) }

    /// How many entries stand before the page.
    package var offset: Int { number * size }

    /// How many pages there are of `total` entries.
    package func count(of total: Int) -> Int { (total + size - 1) / size }
}
