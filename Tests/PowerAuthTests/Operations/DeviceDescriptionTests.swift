import Essentials
import Testing

@testable import PowerAuth

@Suite struct DeviceDescriptionTests {
    @Test func `the user agent of the vendor's example has nine parts`() throws {
        let device = try #require(
            DeviceDescription(
                userAgent:
                    "PowerAuthNetworking/1.5.1 (cs; wifi) com.example.bank/4.2.0 (Apple; iOS/18.1; iphone15,2)"
            ))
        #expect(
            device.json == [
                "networkVersion": "1.5.1", "language": "cs", "connection": "wifi",
                "product": "com.example.bank", "version": "4.2.0", "platform": "Apple", "os": "iOS",
                "osVersion": "18.1", "model": "iphone15,2",
            ])
    }

    @Test(arguments: [
        "MobileTokenFlutter/1.0 com.example/1.0 (Apple; iOS/18.1; iphone15,2)", "", "curl/8.0",
        "a/1 (cs; wifi) b/2 (Apple; iOS/18.1; )", "a/1 (cs; wifi) b/2 (Apple; iOS/18.1; x",
        "a/1 (c s; wifi) b/2 (Apple; iOS/18.1; x)", "(((((/////;;;;;",
    ])
    func `another form has none`(_ agent: String) {
        #expect(DeviceDescription(userAgent: agent) == nil)
    }

    @Test func `other products may stand between`() {
        let device = DeviceDescription(
            userAgent:
                "PowerAuthNetworking/1.5.1 (cs; wifi) com.example.bank/4.2.0 Other/1.0 (x) (Apple; iOS/18.1; iphone15,2)"
        )
        #expect(device?.product == "com.example.bank" && device?.version == "4.2.0")
        #expect(device?.platform == "Apple" && device?.model == "iphone15,2")
    }

    @Test func `languages may have a region, models may have brackets`() {
        let device = DeviceDescription(
            userAgent: "A/1.0 (en-US; unknown) b/2 (samsung; Android/14; SM-G998B (x))")
        #expect(device?.language == "en-US" && device?.model == "SM-G998B (x)")
    }
}
