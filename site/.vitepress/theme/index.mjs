// The default theme, with the project's colours, the picture and the terminal of the home page.
import DefaultTheme from "vitepress/theme";
import { useRoute } from "vitepress";
import { h, nextTick, onMounted, watch } from "vue";
import picture from "../../../docs/images/core-points.svg";
import Terminal from "./Terminal.vue";
import "./style.css";

const alt = "Two spirals, the regions that a learner predicts, and the core points that it stores";

const Layout = {
  setup() {
    const route = useRoute();
    // The default theme's home page has no main landmark.
    const mark = () => nextTick(() => document.querySelector(".VPHome")?.setAttribute("role", "main"));
    onMounted(mark);
    watch(() => route.path, mark);
    return () => h(DefaultTheme.Layout, null, { "home-hero-image": () => h("img", { class: "image-src", src: picture, alt }) });
  },
};

export default {
  extends: DefaultTheme,
  Layout,
  enhanceApp({ app }) {
    app.component("Terminal", Terminal);
  },
};
