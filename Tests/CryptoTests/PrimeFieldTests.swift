import Crypto
import Testing

struct PrimeFieldTests {
    /// Small enough to know all its numbers.
    static let small = PrimeField(modulus: [103])

    @Test(arguments: 0..<103)
    func `a small field is arithmetic modulo its prime`(_ number: Int) throws {
        let element = Self.small.element(number)
        #expect(element.bytes == [UInt8(number)])
        #expect(element.isZero == (number == 0))
        #expect(element.isOdd == (number % 2 == 1))
        #expect((-element).bytes == [UInt8((103 - number) % 103)])
        for other in [0, 1, 2, 50, 102] {
            let second = Self.small.element(other)
            #expect((element + second).bytes == [UInt8((number + other) % 103)])
            #expect((element - second).bytes == [UInt8((number - other + 103) % 103)])
            #expect((element * second).bytes == [UInt8(number * other % 103)])
            #expect((element == second) == (number == other))
        }
        #expect(element.raised(to: [0, 3]).bytes == [UInt8(number * number * number % 103)])
    }

    @Test func `every number but zero has an inverse, and half of them a root`() throws {
        let numbers = (1..<103).map(Self.small.element)
        for number in numbers {
            let inverse = try #require(number.inverse)
            #expect(number * inverse == Self.small.one)
        }
        #expect(Self.small.zero.inverse == nil)
        let squares = Set((1..<103).map { $0 * $0 % 103 })
        for (index, number) in numbers.enumerated() {
            let root = number.squareRoot
            #expect((root != nil) == squares.contains(index + 1))
            if let root { #expect(root * root == number) }
        }
        #expect(Self.small.zero.squareRoot == Self.small.zero)
    }

    @Test func `numbers are read below the prime, or reduced`() {
        #expect(Self.small.element([102])?.bytes == [102])
        #expect(Self.small.element([0, 0, 102])?.bytes == [102])
        #expect(Self.small.element([103]) == nil)
        #expect(Self.small.element([1, 0]) == nil)
        #expect(Self.small.element([]) == Self.small.zero)
        #expect(Self.small.element(reducing: [1, 0]).bytes == [50])
        #expect(Self.small.element(-1).bytes == [102])
        #expect(Self.small.element(-205).bytes == [1])
    }

    @Test func `encoded numbers have the size of the prime`() {
        let field = PrimeField(modulus: [1, 1])
        #expect(field.byteCount == 2)
        #expect(field.one.bytes == [0, 1])
    }

    @Test func `polynomials are multiplied`() {
        func numbers(_ values: [Int]) -> [FieldElement] { values.map(Self.small.element) }
        // (100 + 2x + 3x²)(5 + 7x) = 500 + 710x + 29x² + 21x³
        let product = Self.small.product(numbers([100, 2, 3]), numbers([5, 7]))
        #expect(product == numbers([500 % 103, 710 % 103, 29, 21]))
        #expect(Self.small.product(numbers([5, 7]), numbers([100, 2, 3])) == product)
        #expect(Self.small.product(numbers([1, 0, 2]), numbers([0, 0, 9])) == numbers([0, 0, 9, 0, 18]))
        #expect(Self.small.product([], numbers([1])).isEmpty)
    }
}
