/// Why the software device stopped: what the server answered does not hold.
package struct DeviceError: Error, Equatable {
    package let reason: String

    package init(_ reason: String) { self.reason = reason }
}
