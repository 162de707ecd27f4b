/// Why a software device stopped: what the server answered does not hold, or the device is not in a state for the call.
package struct DeviceError: Error, Equatable, Sendable {
    package let reason: String

    package init(_ reason: String) { self.reason = reason }
}
