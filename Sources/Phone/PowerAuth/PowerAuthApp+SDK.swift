import Essentials
import PlatformKit
import PowerAuthDevice

extension PowerAuthApp {
    package static let sdks = ["1.9", "2.x"]

    /// What an app is built with, and how it is configured.
    ///
    /// Source: upgrade guides of PowerAuth Mobile SDK 2.0; its `DEFAULT` is `EC_P384_ML_L3`.
    struct Build: Equatable {
        /// Of activations of protocol 3.
        let version: Device.Version
        /// Nil with SDK 1.9, and for `LEGACY_P256` of SDK 2.x.
        let algorithm: Protocol4.Algorithm?
        /// Which of the configuration strings it has.
        let configuration: String

        /// - Parameters:
        ///   - name: a version of the protocol or a suite; nil for what the SDK does by itself.
        ///   - sdk: of ``PowerAuthApp/sdks``.
        /// - Throws: ``PhoneRefusal``.
        init(_ name: String?, sdk: String?) throws {
            let isNext = sdk == "2.x"
            let usual = isNext ? Protocol4.Algorithm.hybrid3.rawValue : Device.Version.v33.rawValue
            switch name ?? usual {
            case "4.0": (version, algorithm) = (.v33, .hybrid3)
            case "LEGACY_P256": (version, algorithm) = (.v33, nil)
            case let name:
                let (version, algorithm) = (
                    Device.Version(rawValue: name), Protocol4.Algorithm(rawValue: name)
                )
                guard version != nil || algorithm != nil else {
                    let suites = Protocol4.Algorithm.allCases.map(\.rawValue).joined(separator: ", ")
                    throw PhoneRefusal(
                        .malformed,
                        "The protocol of PowerAuth is 3.0, 3.1, 3.2, 3.3 or 4.0, or a suite of 4.0 (\(suites)), or LEGACY_P256, "
                            + "not “\(name.prefix(60))”.")
                }
                (self.version, self.algorithm) = (version ?? .v33, algorithm)
            }
            configuration = algorithm != nil || isNext ? "mobileSdkConfigV4" : "mobileSdkConfig"
        }
    }

    /// Whether the app was updated to an SDK that can upgrade the activation, and the server offers it.
    var canUpgrade: Bool {
        guard let kept, kept.isUpgradable == true else { return false }
        return kept.algorithm != nil || handset.phone.sdk(of: Self.self) == "2.x"
    }

    /// Goes over to protocol 4.0, in the suite that the SDK has by itself.
    func upgrade(pin: String) throws {
        guard let kept, let device = try? device() else {
            throw PhoneRefusal.notEnrolled(handset.phone, sdkError: notEnrolledError)
        }
        let app = handset.configurations.first { $0.application == kept.application }
        guard let configuration = app?.values["mobileSdkConfigV4"] else {
            throw PhoneRefusal.notConfigured(Self.title)
        }
        var updated = kept
        (updated.configuration, updated.algorithm) = (configuration, kept.algorithm ?? .hybrid3)
        let next = try makeDevice(updated)
        (next.activation, next.tokens, next.clockOffset) = (
            device.activation, device.tokens, device.clockOffset
        )
        defer {
            // Also where the confirmation is lost: the former keys are gone then.
            replace(next, updated)
        }
        try next.upgradeToProtocol4(pin: pin)
    }
}
