import DeviceKit
import Essentials
import PlatformKit
import PowerAuthDevice
import Testing

@testable import PowerAuth

extension MobileBench {
    /// A phone with SDK 2.x, which is built with the configuration string of the application.
    func phone4(_ algorithm: Protocol4.Algorithm = .p384) throws -> Device {
        let told = try platform.appConfigurations().first { $0.application == "bank" }
        let phone = try phone(
            MobileConfiguration(parsing: #require(told?.values["mobileSdkConfigV4"])))
        phone.algorithm = algorithm
        return phone
    }

    /// A phone of ada's whose activation is active and confirmed.
    func activePhone4(_ algorithm: Protocol4.Algorithm = .p384, biometry: Bool = false) throws -> Device {
        let phone = try phone4(algorithm)
        try phone.activate(.init(.code(register(.onKeyExchange).code)), pin: Self.pin, biometry: biometry)
        try phone.confirmActivation(pin: Self.pin)
        return phone
    }
}
