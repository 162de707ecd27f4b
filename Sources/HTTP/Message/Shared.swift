/// A value of many parts that all copies share, so that a copy costs one reference.
final class Shared<Value: Sendable>: Sendable {
    let value: Value
    init(_ value: Value) { self.value = value }

    /// One with a part changed.
    func changed<Part>(_ part: WritableKeyPath<Value, Part>, to new: Part) -> Shared {
        var value = value
        value[keyPath: part] = new
        return Shared(value)
    }
}

extension Shared: Equatable where Value: Equatable {
    static func == (one: Shared, other: Shared) -> Bool { one === other || one.value == other.value }
}
