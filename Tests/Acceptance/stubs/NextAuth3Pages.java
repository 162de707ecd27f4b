// Code of the vendor's pages on version 3 of nextAuth's SDK: lines that begin with //= stand for it. That it compiles is the test.
package guide;

import com.nextauth.android.*;
import java.util.List;

public class NextAuth3Pages extends AbstractCallbackHandler implements NextAuthObserver {
    private final byte[] qrData = {};
    private final byte[] challenge = {};
    private final PinContainer pin = new PinContainer("13524");
    private final Object cryptoObject = new Object();

    @Override
    public void onCallback(Callback callback) {
        callback.trigger(this);
    }

    @Override
    public void onFlowUpdate(FlowUpdate callback) {
        Flow flow = callback.getFlow();
        if (flow.getState() == Flow.State.WAIT_FOR_INPUT && flow.getCurrentInteraction().getType() == Interaction.Type.VERIFY_SECOND_FACTOR) {
            //= java: second factor
        }
    }

    public void start() {
        //= java: start
    }

    public void create() {
        //= java: transaction of the app
    }
}
