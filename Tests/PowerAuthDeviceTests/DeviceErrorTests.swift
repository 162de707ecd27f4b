import PowerAuthDevice
import Testing

@Suite struct DeviceErrorTests {
    @Test func `a device says why it stopped`() {
        #expect(DeviceError("the MAC is wrong").reason == "the MAC is wrong")
    }
}
