// As much of Apple's modules as an app in Objective-C's runtime needs to be type-checked where there is none. For these tests alone.
public struct Selector: ExpressibleByStringLiteral, Sendable {
    public init(stringLiteral value: String) {}
}
