package import Essentials

/// What a software device is given from outside: the way to its server, the time, and chance. It has none of its own.
package struct DeviceServices {
    package typealias Transport = (DeviceRequest) throws -> DeviceResponse

    private let clock: () -> Date
    private let random: (Int) -> [UInt8]
    private let transport: Transport

    /// - Parameters:
    ///   - clock: the device's own.
    ///   - random: that many bytes that nobody can guess.
    package init(
        clock: @escaping () -> Date, random: @escaping (Int) -> [UInt8], transport: @escaping Transport
    ) {
        (self.clock, self.random, self.transport) = (clock, random, transport)
    }

    package var now: Date { clock() }

    package func draw(_ count: Int) -> [UInt8] { random(count) }

    package func send(_ request: DeviceRequest) throws -> DeviceResponse { try transport(request) }
}
