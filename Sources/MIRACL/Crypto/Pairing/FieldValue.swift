import Crypto

/// What the coordinates of a point can be: numbers of the field, or complex ones.
protocol FieldValue: Equatable {
    var isZero: Bool { get }
    var one: Self { get }
    static func + (one: Self, other: Self) -> Self
    static func - (one: Self, other: Self) -> Self
    static func * (one: Self, other: Self) -> Self
}

extension FieldElement: FieldValue {
    var one: FieldElement { field.one }
}
