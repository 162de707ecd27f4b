// An app on version 3 of nextAuth's SDK in Java, on the stub in Kotlin: it hears of flows. A user is at its keyboard: lines of standard input.
package guide;

import com.nextauth.android.*;
import com.nextauth.android.Error;
import java.io.BufferedReader;
import java.io.File;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.stream.Collectors;

public class NextAuth3Guide extends AbstractCallbackHandler implements NextAuthObserver {
    private final FlowManager flows = NextAuth.getNextAuth().getFlowManager();

    @Override
    public void onCallback(Callback callback) {
        callback.trigger(this);
        if (callback instanceof ConfirmEnrol || callback instanceof ConfirmLogin || callback instanceof SecondFactor
            || callback instanceof SessionLogin || callback instanceof UserErrorMessage) {
            show(callback.getClass().getSimpleName());
        }
    }

    @Override
    public void onFlowUpdate(FlowUpdate callback) {
        Flow flow = callback.getFlow();
        List<Object> words = new ArrayList<Object>(List.<Object>of("Flow", flow.getType(), flow.getState()));
        if (flow.getCurrentInteraction() != null) {
            words.addAll(asked(flow.getCurrentInteraction()));
        }
        InteractionResult result = flow.getPreviousInteractionResult();
        words.add(result == null ? null : "after " + result.getInteractionType() + " " + result.getType());
        words.add(flow.getTransaction() == null ? null : flow.getTransaction().getAmount());
        words.add(flow.getError());
        words.add(flow.getSecondFactorAccount().isPinBlocked() ? "blocked" : null);
        show(words.stream().filter(Objects::nonNull).map(Object::toString).collect(Collectors.joining(" ")));
    }

    private List<Object> asked(Interaction interaction) {
        List<Object> words = new ArrayList<>();
        words.add(interaction.getType());
        words.add(interaction.getInputTypes().isEmpty() ? null : interaction.getInputTypes());
        InteractionSecondFactorInfo factors = interaction.getSecondFactorInfo();
        words.add(factors == null ? null : factors.getAllowedSecondFactors() + "/" + factors.getRequiredSecondFactors());
        InteractionConfirmSessionInfo info = interaction.getConfirmSessionInfo();
        if (info != null) {
            String names = info.getAccounts().stream().map(Account::getUserName).collect(Collectors.joining(","));
            words.add(names.isEmpty() ? "nobody" : names);
        }
        return words;
    }

    @Override
    public void onSessionUpdate(SessionUpdate callback) {
        show("SessionUpdate " + callback.getSession().getState());
    }

    @Override
    public void onError(Error callback) {
        show("Error " + callback.getError());
    }

    @Override
    public void onRetrievedMessages(RetrievedMessages callback) {
        show("RetrievedMessages " + callback.getMessages().stream().map(Message::getType).toList());
    }

    private void hear(String line) {
        String word = line.contains(" ") ? line.substring(line.indexOf(' ') + 1) : "";
        switch (line.split(" ")[0]) {
            case "scan" -> scan(word.getBytes(StandardCharsets.UTF_8));
            case "confirm" -> flows.inputConfirm(null, "typed by the user");
            case "sign" -> flows.inputConfirmTransaction(word.equals("yes"));
            case "cancel" -> flows.cancel();
            case "pin" -> flows.inputSecondFactor(new PinContainer(word));
            case "pin+finger" -> flows.inputSecondFactor(new PinContainer(word), new Object());
            case "login" -> NextAuth.getAppLogin().start();
            case "messages" -> NextAuth.getNextAuth().retrieveMessages();
            case "token" -> NextAuth.getNextAuth().getToken();
            case "create" -> create();
            default -> throw new IllegalArgumentException("what is “" + line + "”?");
        }
    }

    private void scan(byte[] code) {
        try {
            flows.start(code);
        } catch (NextAuthException exception) {
            show("thrown " + exception.getError());
        }
    }

    private void create() {
        NextAuth nextAuth = NextAuth.getNextAuth();
        try {
            nextAuth.getTransactionManager().create(new Transaction(), nextAuth.getAccountManager().getAccounts().get(0));
        } catch (NextAuthException exception) {
            show("thrown " + exception.getError());
        }
    }

    private static synchronized void show(String line) {
        System.out.println(line);
        System.out.flush();
    }

    /** Arguments: address, configuration, file. */
    public static void main(String[] arguments) throws Exception {
        NextAuth.connect(arguments[0], arguments[1], new File(arguments[2]));
        NextAuth3Guide app = new NextAuth3Guide();
        NextAuth.getNextAuth().addObserver(app);
        BufferedReader lines = new BufferedReader(new InputStreamReader(System.in));
        for (String line = lines.readLine(); line != null; line = lines.readLine()) {
            app.hear(line);
        }
    }
}
