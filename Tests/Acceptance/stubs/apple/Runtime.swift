// Compiled into a module that is type-checked for Objective-C: its NSObject is that of the runtime, not the one that Foundation has on Linux.
import Foundation
import ObjectiveC

public typealias NSObject = ObjectiveC.NSObject

extension ObjectiveC.NSObject: @retroactive NSObjectProtocol {
    public var description: String { "" }
    public var debugDescription: String { "" }
    public func `self`() -> Self { self }
    public func isProxy() -> Bool { false }
}

func NSSelectorFromString(_ name: String) -> Selector { Selector(stringLiteral: name) }
