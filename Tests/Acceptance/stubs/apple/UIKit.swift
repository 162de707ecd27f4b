// As much of Apple's UIKit, and of what Foundation is there, as the guide's view controller needs. Type-checked, never run; for these tests alone.
import Foundation
@_exported import ObjectiveC

@objc public final class NSNotification: ObjectiveC.NSObject { @objc public var object: Any? { nil } }

@MainActor @objc open class UIViewController: ObjectiveC.NSObject { @objc open func viewDidLoad() {} }

public final class NotificationCenter: Sendable {
    public static let `default` = NotificationCenter()
    public func addObserver(
        _ observer: Any, selector: Selector, name: Foundation.Notification.Name?, object: Any?
    ) {}
}
