// As much of Apple's modules as code for Objective-C's runtime needs to be type-checked where there is none. For these tests alone.
public struct Selector: ExpressibleByStringLiteral, Sendable {
    public init(stringLiteral value: String) {}
}

@objc open class NSObject: Hashable {
    public init() {}
    open func isEqual(_ object: Any?) -> Bool { false }
    open var hash: Int { 0 }
    public func responds(to selector: Selector?) -> Bool { false }
    public static func responds(to selector: Selector?) -> Bool { false }
    public static func perform(_ selector: Selector?) -> Unmanaged<AnyObject>? { nil }
    public static func == (one: NSObject, other: NSObject) -> Bool { one.isEqual(other) }
    public func hash(into hasher: inout Hasher) { hasher.combine(hash) }
}
